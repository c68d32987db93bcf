/** Times, durations and numbers for people. */

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const NUMBER = new Intl.NumberFormat('en')
const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000], ['second', 1_000],
]

export const number = (value: number): string => NUMBER.format(value)

/** A name; in quotation marks where it is blank, so that there is something to see. */
export const seen = (name: string): string => (name.trim() === '' ? `“${name}”` : name)

export const some = (value: number, one: string, many = `${one}s`): string => `${number(value)} ${value === 1 ? one : many}`

/** In the reader's own time zone. */
export const time = (text: string): string => DAY.format(new Date(text))

export function ago(text: string, now = Date.now()): string {
  const passed = Date.parse(text) - now
  const [unit, size] = STEPS.find(([, size]) => Math.abs(passed) >= size) ?? ['second', 1_000]
  return AGO.format(Math.round(passed / size), unit)
}

export function duration(milliseconds: number | null): string {
  if (milliseconds === null) return '–'
  if (milliseconds < 1_000) return `${milliseconds} ms`
  const seconds = milliseconds / 1_000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function bytes(size: number): string {
  if (size < 1_024) return `${size} B`
  return size < 1_048_576 ? `${(size / 1_024).toFixed(1)} KiB` : `${(size / 1_048_576).toFixed(1)} MiB`
}
