import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { plainly } from '../support/children.ts'
import { eventually } from '../support/eventually.ts'
import { openPlace, processesOn, root } from './launcher.ts'

const place = await openPlace(t)
const { PATH, HOME, NODE_COMPILE_CACHE = '', REAPER_RUN = '' } = process.env
const address = `http://localhost:${place.port}`

function demo(env: Record<string, string> = {}) {
  const args = ['bin/tocsin.js', 'demo', '--dir', place.dir, '--port', String(place.port)]
  const child = spawn(...plainly(process.execPath, args), {
    cwd: root,
    env: { PATH, HOME, NODE_COMPILE_CACHE, REAPER_RUN, ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const run = { child, output: '' }

  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (run.output += text))

  return run
}

async function ready(run: ReturnType<typeof demo>) {
  await eventually(() => /^ready /m.test(run.output) || run.child.exitCode !== null, 'the demo is ready', 150_000)
  t.match(run.output, `ready ${address}\n`)

  return /^ {2}Password +(\S+)$/m.exec(run.output)![1]!
}

async function stop({ child }: ReturnType<typeof demo>) {
  child.kill('SIGINT')
  await eventually(() => child.exitCode !== null, 'it ends', 40_000)
  t.equal(child.exitCode, 0)
  t.same(processesOn(place.dir), [])
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read where they are asked for.
const ask = async (path: string): Promise<any> => (await fetch(`${address}/api/v4/${path}`, { headers: { 'PRIVATE-TOKEN': token } })).json()
let token = ''

t.test('a demo is filled, live, and goes on where it stopped', async t => {
  // A database that is set for the real system is not used.
  const first = demo({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', SECRET_KEY: 'a key of thirty-two characters...' })
  const password = await ready(first)

  token = JSON.parse(readFileSync(`${place.dir}/demo.json`, 'utf8')).token
  const projects = await ask('groups/acme/projects')

  t.same(projects.map(({ path }: { path: string }) => path).sort(), ['api', 'payments', 'storefront'])
  const storefront = projects.find(({ path }: { path: string }) => path === 'storefront').id
  const errors = await ask(`projects/${storefront}/error_tracking/errors`)
  const oldest = Math.min(...errors.map((error: { first_seen_at: string }) => Date.parse(error.first_seen_at)))

  t.ok(Date.now() - oldest > 20 * 86_400_000, 'errors of four weeks')
  const cart = errors.find(({ description }: { description: string }) => description.includes("'percent'"))
  const [event] = await ask(`projects/${storefront}/error_tracking/errors/${cart.fingerprint}/events`)

  t.match(JSON.stringify(event), 'src/cart.ts')
  const total = async () => {
    const lists = await Promise.all(projects.map(({ id }: { id: number }) => ask(`projects/${id}/error_tracking/errors`)))

    return lists.flat().reduce((sum: number, { event_count: count }: { event_count: number }) => sum + count, 0)
  }
  const before = await total()

  await eventually(async () => (await total()) > before, 'new events arrive', 30_000)
  await stop(first)

  const second = demo()

  t.equal(await ready(second), password)
  t.notMatch(second.output, 'Sending errors')
  t.ok((await total()) > before)
  await stop(second)
})

t.test('a folder with other data is refused', async t => {
  const other = await openPlace(t)

  mkdirSync(other.dir, { recursive: true })
  const child = spawn(...plainly(process.execPath, ['bin/tocsin.js', 'demo', '--dir', other.dir]), { cwd: root, stdio: 'ignore' })

  await eventually(() => child.exitCode !== null, 'it ends')
  t.equal(child.exitCode, 1)
})
