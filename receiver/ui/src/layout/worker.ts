onmessage = (event) => postMessage(event.data); export {}
