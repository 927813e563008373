import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../install.js'

/** Each process loads the application once: more groups would load it more often, fewer would end at different times. */
const maxGroups = 12
/** Fewer bytes of tests are not worth a process of their own. */
const worthwhile = 40_000

/** These start processes and wait for them. */
const waiting = /^test\/launcher\//

const folder = join(root, '.tap', 'groups')

/** Tests of `npm test` are named `*.test.ts`, those of `npm run test:slow` `*.slow.ts`. */
export function listTests({ paths, isSlow }) {
  const pattern = isSlow ? /\.slow\.ts$/ : /\.test\.ts$/

  if (paths.length === 0) return testsIn('test', pattern)

  return paths.flatMap(path => (statSync(path).isDirectory() ? testsIn(path, pattern) : [path]))
}

function testsIn(folder, pattern) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter(name => pattern.test(name))
    .map(name => join(folder, name))
    .sort()
}

/**
 * Distributes test files over groups of about the same size, each of which is a process. Neighbours stay together: their tests
 * use the same worlds. Returns the paths of the groups' files, which import the tests; those that wait run first, beside others.
 */
export function groupTests(files) {
  const [slow, others] = [files.filter(file => waiting.test(file)), files.filter(file => !waiting.test(file))]
  const sizes = others.map(file => statSync(join(root, file)).size)
  const total = sizes.reduce((sum, size) => sum + size, 1)
  const groupCount = Math.min(maxGroups, Math.ceil(total / worthwhile))
  const share = total / groupCount
  const groups = Array.from({ length: groupCount }, () => [])
  let before = 0

  for (const [index, file] of others.entries()) {
    groups[Math.floor(before / share)].push(file)
    before += sizes[index]
  }

  return write([...slow.map(file => [file]), ...groups.filter(group => group.length > 0)])
}

function write(groups) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })

  return groups.map((files, index) => {
    const path = join(folder, `${String(index).padStart(2, '0')}.test.ts`)

    writeFileSync(path, groupOf(files))

    return relative(root, path)
  })
}

/**
 * The comments tell which tests are whose. A file that fails before its tests fails as a test of its name, and the others
 * run. What the tests share closes after the last.
 */
function groupOf(files) {
  return `import t from 'tap'
import { closeShared } from '${fromGroup('test/support/shared.ts')}'

// With a teardown, the test at the top would end at its first idle moment.
t.teardown = callback => t.after(callback)
t.after(() => closeShared().catch(error => t.threw(error)))

let running = t
t.beforeEach(test => { running = test })
for (const type of ['uncaughtException', 'unhandledRejection']) process.on(type, error => {
  while (running.results && running.parent) running = running.parent
  running.threw(error)
})

for (const [file, path] of ${JSON.stringify(files.map(file => [file, fromGroup(file)]))}) {
  t.comment(\`file: \${file}\`)
  try {
    await import(path)
  } catch (error) {
    t.test('before its tests', () => Promise.reject(error))
  }
}
t.end()
`
}

function fromGroup(path) {
  return relative(folder, join(root, path))
}
