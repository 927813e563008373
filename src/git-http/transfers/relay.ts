import type { Writable } from 'node:stream'
import type { GitProcess } from './git-process.ts'
import { writeChunk } from './write-chunk.ts'

/** Sends the output of git to the client as fast as the client reads it. Without the client git is stopped. */
export async function relay(child: GitProcess, out: Writable, observe: (chunk: Buffer) => Promise<void> | void = () => {}) {
  out.once('close', () => child.stop())
  for await (const chunk of child.output) {
    await observe(chunk)
    await writeChunk(out, chunk)
  }
  out.end()
}
