import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import type { Test } from 'tap'
import { eventually } from '../support/world.ts'

export const redisProgram = ['redis-server', 'valkey-server'].find(name => spawnSync(name, ['--version']).status === 0)

/** A Redis of the test's own, that keeps what it has through a kill. */
export async function openRedis(t: Test) {
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-redis-'))
  const port = await freePort()
  let server: ChildProcess

  const start = async () => {
    server = spawn(redisProgram!, ['--port', String(port), '--dir', dir, '--appendonly', 'yes', '--appendfsync', 'always', '--save', ''], {
      stdio: 'ignore'
    })
    await answers(port)
  }
  const kill = async () => {
    const died = once(server, 'exit')
    server.kill('SIGKILL')
    await died
  }

  await start()
  t.teardown(() => {
    server.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true })
  })

  return { url: `redis://127.0.0.1:${port}`, start, kill, stop: () => server.kill('SIGSTOP'), resume: () => server.kill('SIGCONT') }
}

async function answers(port: number) {
  const client = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => 20 })

  client.on('error', () => {})
  await client.connect().catch(() => {})
  await eventually(() => client.ping().catch(() => false), 'Redis answers')
  client.disconnect()
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')

  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))

  return port
}
