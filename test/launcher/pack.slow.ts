import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { plainly } from '../support/children.ts'
import { eventually } from '../support/eventually.ts'
import { freePort, processesOn, readWelcome, root, shell } from './launcher.ts'

t.test('a packed Tocsin starts in an empty folder with `npx tocsin`, stores an event, and stops', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-pack-'))
  const app = join(folder, 'app')
  const data = join(app, 'tocsin-data')
  const port = await freePort()
  const { REAPER_RUN = '' } = process.env
  // Neither the programs of this checkout nor npm's cache or the settings of the user.
  const PATH = process.env
    .PATH!.split(':')
    .filter(folder => !folder.startsWith(root))
    .join(':')
  const env = { PATH, REAPER_RUN, HOME: folder, PORT: String(port), npm_config_cache: join(folder, 'cache') }
  let output = ''

  t.teardown(() => {
    for (const { pid } of processesOn(data)) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  mkdirSync(app)
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: root, stdio: 'ignore' })
  execFileSync('npm', ['install', join(folder, 'tocsin-0.1.0.tgz')], { cwd: app, env, stdio: 'ignore', timeout: 300_000 })
  const child = spawn(...plainly('npx', ['tocsin']), { cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'] })

  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text))
  await eventually(() => /^ready /m.test(output) || child.exitCode !== null, 'it is ready', 120_000)
  t.ok(output.startsWith(`data in ${data}\n`), output)
  const welcome = readWelcome(output)

  t.match(await (await fetch(`${welcome.address}/users/sign_in`)).text(), '<title>Sign in · Tocsin</title>')
  await shell(welcome.send)
  await eventually(async () => JSON.parse(await shell(welcome.list)).length === 1, 'the event is stored', 30_000)
  const status = JSON.parse(execFileSync('npx', ['tocsin', 'status', '--json'], { cwd: app, env, encoding: 'utf8' }))

  t.same([status.running, status.data_dir], [true, data])
  child.kill('SIGTERM')
  await eventually(() => /^stopped$/m.test(output), 'it stops', 40_000)
  await eventually(() => processesOn(data).length === 0, 'nothing is left')
  for (const name of ['.install', '.data', '.tap']) t.notOk(existsSync(join(app, 'node_modules/tocsin', name)), name)
})
