import type { Writable } from 'node:stream'

/** Resolves when the stream takes more. A chunk for a stream that was closed is dropped. */
export function writeChunk(stream: Writable, chunk: Buffer) {
  if (stream.destroyed || chunk.length === 0 || stream.write(chunk)) return

  return new Promise<void>(resolve => {
    const done = () => {
      stream.off('drain', done).off('close', done)
      resolve()
    }

    stream.on('drain', done).on('close', done)
  })
}
