import type { ChildProcess } from 'node:child_process'
import t, { type Test } from 'tap'
import { startChild } from '../support/children.ts'
import { eventually, onBothBackends, type World } from '../support/world.ts'
import { openAlertedProject } from './alerting.ts'

const crowd = [1, 2, 3, 4]
const titles = Array.from({ length: 400 }, (_, n) => `disk ${n} is full`)

onBothBackends(t, 'four web and four worker processes number alerts without a gap or a repeat, also when some die', async (t, kind) => {
  const { config, path, key, worker, alerts } = await openAlertedProject(t, { kind })

  await worker.close(5000)
  const children = await Promise.all(crowd.flatMap(() => [start(t, 'src/server.ts', { config }), start(t, 'workers/main.ts', { config })]))
  const webs = children.filter(({ url }) => url)
  const workers = children.filter(({ url }) => !url)
  const answered = new Map<string, number>()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' }

  /** Repeats until an intake process responds: one that was killed did not. */
  const fire = async (title: string, n: number) => {
    const response = await eventually(async () => {
      const { url } = webs[n % webs.length]!
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify({ title }) }).catch(() => undefined)

      return response?.status === 200 && ((await response.json()) as { iid: number }[])
    }, `${title} is answered`)

    if (n === 100) webs.splice(0, 1)[0]!.process.kill('SIGKILL')
    if (n === 150) workers[0]!.process.kill('SIGKILL')
    answered.set(title, response[0]!.iid)
  }
  const lanes = Array.from({ length: 32 }, async (_, lane) => {
    for (let n = lane; n < titles.length; n += 32) await fire(titles[n]!, n)
  })

  await Promise.all(lanes)
  const stored = await alerts()

  t.same(
    stored.map(({ iid }) => iid),
    titles.map((_, n) => n + 1)
  )
  t.same(
    stored.map(({ title, iid }) => [title, iid]),
    [...answered].sort(([, a], [, b]) => a - b)
  )
})

/** A process as the Procfile has it; the web's on a port of its own. */
async function start(t: Test, script: string, world: Pick<World, 'config'>): Promise<{ process: ChildProcess; url?: string }> {
  const child = startChild(t, world, [script], { PORT: '0', HOST: '127.0.0.1' })

  return new Promise((resolve, reject) => {
    let url: string | undefined

    child.on('message', (message: { welcome?: { url: string }; ready?: true }) => {
      url ??= message.welcome?.url
      if (message.ready) resolve({ process: child, url })
    })
    child.once('exit', code => reject(new Error(`${script} ended with ${code}`)))
  })
}
