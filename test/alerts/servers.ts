import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { eventually } from '../support/world.ts'

/** Why a test that runs these programs is skipped, if it is. */
export function missing(...programs: string[]) {
  const absent = programs.find(program => spawnSync(program, ['--version']).error)

  return absent ? `there is no ${absent}` : false
}

/** An alert as its own API tells of it. */
interface Active {
  labels: Record<string, string>
}

/** Keeps what it stores, and its address, from one start to the next. */
export async function openAlertmanager(t: Test, configuration: string) {
  const folder = mkdtempSync(join(tmpdir(), 'alertmanager-'))
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  let server: ChildProcess

  const start = async () => {
    server = spawn('prometheus-alertmanager', [
      `--config.file=${join(folder, 'config.yml')}`,
      `--storage.path=${folder}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address='
    ])
    await eventually(() => answers(`${address}/-/ready`), 'Alertmanager is ready')
  }

  writeFileSync(join(folder, 'config.yml'), configuration)
  t.teardown(() => {
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  await start()

  return {
    address,
    fire: async (alerts: object[]) => {
      const response = await fetch(`${address}/api/v2/alerts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(alerts)
      })

      if (!response.ok) throw new Error(await response.text())
    },
    active: async (): Promise<Active[]> => (await fetch(`${address}/api/v2/alerts?active=true`)).json() as Promise<Active[]>,
    restart: async () => {
      const ended = new Promise(resolve => server.once('exit', resolve))

      server.kill('SIGTERM')
      await ended
      await start()
    }
  }
}

/** Scrapes and judges several times a second, by files given by name. */
export async function openPrometheus(t: Test, files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
  const port = await freePort()

  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const server = spawn('prometheus', [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--rules.alert.resend-delay=500ms'
  ])

  t.teardown(() => {
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  await eventually(() => answers(`http://127.0.0.1:${port}/-/ready`), 'Prometheus is ready')
}

export function freePort() {
  return new Promise<number>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }

      server.close(() => resolve(port))
    })
  })
}

function answers(url: string) {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false
  )
}
