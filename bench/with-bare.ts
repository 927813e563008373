import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from './system.ts'

/** Runs `measure` against a bare node:http server of its own process. */
export async function withBare<Result>(measure: (port: number) => Promise<Result>): Promise<Result> {
  const port = await freePort()
  const server = fork(join(import.meta.dirname, 'bare.ts'), [String(port)])

  await once(server, 'message')
  try {
    return await measure(port)
  } finally {
    server.kill()
  }
}
