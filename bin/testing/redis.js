import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'

/** Starts a Redis or Valkey from the PATH with `spawn` and returns its URL, or nothing when there is none. */
export async function startRedis(dir, spawn) {
  const program = ['redis-server', 'valkey-server'].find(isOnPath)

  if (!program) return undefined
  const port = await freePort()

  spawn(program, ['--port', String(port), '--save', '', '--appendonly', 'no', '--dir', dir], { stdio: 'ignore', env: process.env })

  return `redis://127.0.0.1:${port}`
}

function isOnPath(program) {
  return process.env.PATH.split(delimiter).some(folder => spawnSync('test', ['-x', join(folder, program)]).status === 0)
}

function freePort() {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
