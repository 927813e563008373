import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { plainly } from '../support/children.ts'
import { eventually } from '../support/world.ts'
import { root } from './launcher.ts'

/** Records its arguments, installs a Node and notes what it installed, and with `hold` in the checkout waits until that is removed. */
const npm = `#!/bin/sh
echo "$*" >> npm.log
mkdir -p node_modules/node/bin node_modules/.bin
touch node_modules/node/bin/node
printf '#!/bin/sh\\necho "$*" >> tap.log\\n' > node_modules/.bin/tap
chmod +x node_modules/.bin/tap
while [ -e hold ]; do sleep 0.05; done
case "$*" in
  *--omit=dev*) grep -v '"dev": true' package-lock.json ;;
  *) cat package-lock.json ;;
esac > node_modules/.package-lock.json
`

const lockfile = (version: string) => `{ "packages": {
"node_modules/tool": { "version": "1.0.0", "dev": true },
"node_modules/binary-of-another-system": { "version": "1.0.0", "optional": true },
"node_modules/node": { "version": "${version}" }
} }`

/** A checkout with `bin/`, a lockfile, and an npm that only records its arguments. */
function openCheckout(t: Test, dir = t.testdir()) {
  const file = (name: string) => join(dir, name)
  const processes: ChildProcess[] = []

  cpSync(join(root, 'bin'), file('bin'), { recursive: true })
  mkdirSync(file('programs'))
  writeFileSync(file('programs/npm'), npm)
  chmodSync(file('programs/npm'), 0o755)
  writeFileSync(file('package.json'), '{ "type": "module" }')
  writeFileSync(file('package-lock.json'), lockfile('24.0.0'))
  t.teardown(() => {
    for (const child of processes) child.kill('SIGKILL')
  })

  /** Installs as a script of `bin/` does; with `stay`, the process keeps running. */
  const install = (options: { tools?: boolean }, { stay = false } = {}) => {
    const code = `import { install } from './bin/install.js'; install(${JSON.stringify(options)}); console.log('installed'); ${stay ? 'setInterval(() => {}, 1000)' : ''}`
    const child = spawn(...plainly(process.execPath, ['--input-type=module', '--eval', code]), {
      cwd: dir,
      env: { ...process.env, PATH: `${file('programs')}:${process.env.PATH}` },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    const run = { child, output: '' }

    processes.push(child)
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        run.output += chunk
      })
    }

    return run
  }

  return {
    dir,
    file,
    install,
    log: (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8').trim().split('\n') : [])
  }
}

type Run = ReturnType<ReturnType<typeof openCheckout>['install']>

const flags = '--no-audit --no-fund --loglevel=error'
const says = (run: Run, text: string) => eventually(() => run.output.includes(text), `"${text}" in ${run.output}`)
const ended = ({ child }: Run) => eventually(() => child.exitCode !== null && String(child.exitCode), 'it ends')

t.test('dependencies are installed once, without development tools', async t => {
  const { install, log } = openCheckout(t)

  t.equal(await ended(install({})), '0')
  t.equal(await ended(install({})), '0')
  t.same(log('npm.log'), [`ci --omit=dev ${flags}`])
})

t.test('what npm itself installed is not installed again', async t => {
  const { install, log, dir } = openCheckout(t)

  spawnSync('npm', ['ci', '--omit=dev'], { cwd: dir, env: { ...process.env, PATH: `${join(dir, 'programs')}:${process.env.PATH}` } })
  t.equal(await ended(install({})), '0')
  t.same(log('npm.log'), ['ci --omit=dev'])
})

t.test('development tools are added to the modules that a running process uses', async t => {
  const { install, log } = openCheckout(t)
  const running = install({}, { stay: true })

  await says(running, 'installed')
  t.equal(await ended(install({ tools: true })), '0')
  t.same(log('npm.log'), [`ci --omit=dev ${flags}`, `install --include=dev --no-save ${flags}`])
})

t.test('modules are not replaced while a process uses them', async t => {
  const { install, log, file } = openCheckout(t)
  const running = install({ tools: true }, { stay: true })

  await says(running, 'installed')
  writeFileSync(file('package-lock.json'), lockfile('24.0.1'))
  const refused = install({})

  t.equal(await ended(refused), '1')
  t.match(refused.output, `The dependencies have changed, but process ${running.child.pid} is running from this checkout.`)
  t.equal(log('npm.log').length, 1)

  running.child.kill('SIGKILL')
  await eventually(() => running.child.signalCode, 'it ends')
  t.equal(await ended(install({})), '0')
  t.same(log('npm.log').slice(1), [`ci ${flags}`], 'the development tools stay installed')
})

t.test('two installations at once run one after the other', async t => {
  const { install, log, file } = openCheckout(t)

  writeFileSync(file('hold'), '')
  const first = install({})
  await eventually(() => log('npm.log').length === 1, 'npm runs')
  const second = install({})

  await says(second, `Waiting for the installation by process ${first.child.pid}`)
  rmSync(file('hold'))
  t.same(await Promise.all([ended(first), ended(second)]), ['0', '0'])
  t.equal(log('npm.log').length, 1, 'the second finds everything installed')
})

t.test('the lock of an installation that was killed is replaced', async t => {
  const { install, log, file } = openCheckout(t)

  mkdirSync(file('.install'))
  // A process that exists and does not install.
  writeFileSync(file('.install/lock'), `${process.ppid}\n`)
  t.equal(await ended(install({})), '0')
  t.equal(log('npm.log').length, 1)
  t.notOk(existsSync(file('.install/lock')))
})

t.test('a copied checkout builds tap for its own path, once', async t => {
  const dir = t.testdir({ original: {} })
  const { install, log } = openCheckout(t, join(dir, 'original'))

  t.equal(await ended(install({ tools: true })), '0')
  t.same(log('tap.log'), ['build'])
  cpSync(join(dir, 'original'), join(dir, 'copy'), { recursive: true })

  const run = () =>
    spawn(
      ...plainly(process.execPath, ['--input-type=module', '--eval', "import('./bin/install.js').then(m => m.install({ tools: true }))"]),
      {
        cwd: join(dir, 'copy'),
        stdio: 'ignore'
      }
    )
  for (let n = 0; n < 2; n++) {
    const child = run()

    await eventually(() => child.exitCode === 0, 'it installs')
  }
  t.same(readFileSync(join(dir, 'copy', 'tap.log'), 'utf8'), 'build\nbuild\n')
  t.equal(log('npm.log').length, 1)
})
