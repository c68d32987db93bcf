import { placeBoxes, type Question } from './layout'

addEventListener('message', ({ data }: MessageEvent<{ number: number; question: Question }>) => {
  postMessage({ number: data.number, places: placeBoxes(data.question) })
})
