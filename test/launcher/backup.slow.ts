import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import t from 'tap'
import { plainly } from '../support/children.ts'
import { eventually } from '../support/world.ts'
import { Launch, openPlace, processesOn, readWelcome, root, shell } from './launcher.ts'

/** Runs `tocsin` as a user does. */
async function tocsin(dataDir: string, ...args: string[]) {
  const { PATH, HOME, REAPER_RUN = '' } = process.env
  const child = spawn(...plainly(process.execPath, [join(root, 'bin', 'tocsin.js'), ...args]), {
    cwd: root,
    env: { PATH, HOME, REAPER_RUN, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let output = ''

  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text))
  const [code] = await once(child, 'close')

  return { code, output }
}

t.test('a backup of a running installation is restored into another data directory', async t => {
  const place = await openPlace(t)
  const other = await openPlace(t)
  const file = join(dirname(place.dir), 'backup.tar.gz')
  const launch = new Launch(place)

  await launch.ready()
  const welcome = readWelcome(launch.output)
  const countErrors = async (port: number) => JSON.parse(await shell(welcome.list.replace(`:${place.port}`, `:${port}`)))[0]?.event_count

  await shell(welcome.send)
  await eventually(async () => (await countErrors(place.port)) === 1, 'the error is stored', 40_000)
  const backup = await tocsin(place.dir, 'backup', file)

  t.equal(backup.code, 0, backup.output)
  t.match(backup.output, /^main\/error_events_\d{8}: 1 rows$/m)
  t.match(backup.output, `Backup written to ${file}`)
  const refused = await tocsin(place.dir, 'restore', file)

  t.equal(refused.code, 1)
  t.match(refused.output, /^Tocsin is running on .* Stop it before a restore\.$/m)
  t.equal(await launch.ended('SIGTERM'), 0)

  const restored = await tocsin(other.dir, 'restore', file)

  t.equal(restored.code, 0, restored.output)
  t.same(processesOn(other.dir), [])
  const next = new Launch(other)

  await next.ready()
  t.equal(await countErrors(other.port), 1)
  t.equal(await next.ended('SIGTERM'), 0)
})
