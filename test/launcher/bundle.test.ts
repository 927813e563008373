import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { inSources } from '#platform/observability/source-lines.ts'
import { bundle } from '../../bin/bundle.js'
import { root } from './launcher.ts'

const mebibyte = 1024 * 1024
const folder: string = await bundle()

t.test('unchanged sources are bundled once', async t => {
  const { birthtimeMs } = statSync(folder)

  t.equal(await bundle(), folder)
  t.equal(statSync(folder).birthtimeMs, birthtimeMs)
})

t.test('web and worker load no more at their start than they need', async t => {
  // MCP, tracing, mail, the API's description and the dashboard of the queues are loaded when they are used.
  t.ok(bytesAtStart('web') < 8 * mebibyte, `web: ${bytesAtStart('web')}`)
  t.notOk(
    filesAtStart('web').some(file => readFileSync(file, 'latin1').includes('fido-u2f')),
    'the library of passkeys waits for the first passkey'
  )
  t.ok(bytesAtStart('worker') < 5.5 * mebibyte, `worker: ${bytesAtStart('worker')}`)
})

t.test('bundles are plain ASCII, which V8 keeps in half the memory', async t => {
  for (const file of filesAtStart('web')) t.notMatch(readFileSync(file, 'latin1'), /[\x80-\xff]/, file)
})

t.test('functions are not named each time they are created, only classes are', async t => {
  t.ok(filesAtStart('web').some(file => readFileSync(file, 'latin1').includes('var __name=(target,value)=>value.charCodeAt(0)>90?target:')))
})

t.test('a position in a bundle is told as that in its source', async t => {
  const text = readFileSync(join(folder, 'web.js'), 'utf8')
  const before = text.slice(0, text.indexOf('"/-/readiness"')).split('\n')
  const position = inSources(`at health (file://${folder}/web.js:${before.length}:${before.at(-1)!.length + 1})`)
  const [, source, line] = /^at health \((src\/[\w/-]+\.ts):(\d+)\)$/.exec(position) ?? []

  t.match(readFileSync(join(root, source!), 'utf8').split('\n')[Number(line) - 1], "app.get('/-/readiness'")
})

t.test('functions are not named each time they are created, only classes are', async t => {
  t.ok(filesAtStart('web').some(file => readFileSync(file, 'latin1').includes('var __name=(target,value)=>value.charCodeAt(0)>90?target:')))
})

t.test('a position in a bundle that was replaced stays as it is', async t => {
  const stack = 'at health (.bundle/0123456789abcdef/web.js:3:14)'

  t.equal(inSources(stack), stack)
})

t.test('the commands that install the dependencies begin without them', async t => {
  const begun = new Set(['start', 'tocsin', 'test', 'test-sdks', 'bench', 'bundle'].map(name => join(root, 'bin', `${name}.js`)))
  const packages: string[] = []

  for (const file of begun) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export) [^'"]*from '([\w@.:/-]+)'/gm)) {
      if (name.startsWith('.')) begun.add(join(file, '..', name))
      else if (!name.startsWith('node:')) packages.push(`${file}: ${name}`)
    }
  }
  t.ok(begun.size > 15)
  t.same(packages, [])
})

t.test("a Procfile's command runs its program", async t => {
  const { status, stdout } = spawnSync('node', ['bin/tocsin.js', 'worker', '--help'], { cwd: root, encoding: 'utf8' })

  t.equal(status, 0)
  t.match(stdout, 'Usage: node bin/tocsin.js worker')
})

function bytesAtStart(program: string) {
  return filesAtStart(program).reduce((sum, file) => sum + statSync(file).size, 0)
}

/** The program's file, and those that it imports at once, and they in turn. */
function filesAtStart(program: string) {
  const files = new Set([join(folder, `${program}.js`)])

  for (const file of files) {
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:^|;|\})(?:import|export)(?:[^;"'()]*from)?"\.\/([\w-]+\.js)"/gm)) {
      if (existsSync(join(folder, name!))) files.add(join(folder, name!))
    }
  }

  return [...files]
}
