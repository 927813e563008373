import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from '../install.js'

/** Loading the application is slower than most tests, but the largest group determines the length of a run. */
const groupSize = 12

/** Tests that mostly wait for processes they start. */
const slow = /^test\/launcher\//

/** The test files of the given files and folders, each as a group of its own. */
export function listTests(paths) {
  return new Map(paths.flatMap(path => (statSync(path).isDirectory() ? testsIn(path) : [path])).map(path => [path, [path]]))
}

/**
 * All test files in groups of one process: the path of each group's file, which imports the files, to their paths.
 * Slow tests come first, then large groups, so that the last process of a run ends early.
 */
export function groupTests() {
  const folder = join(root, '.tap', 'groups')
  const files = testsIn('test')
  const fast = files.filter(file => !slow.test(file))
  const folders = [...new Set(fast.map(dirname))].map(folder => fast.filter(file => dirname(file) === folder))
  const large = folders.filter(files => files.length > groupSize / 2)
  const small = folders.filter(files => !large.includes(files)).flat()
  const groups = [...large, small].flatMap(split).sort((a, b) => bytesOf(b) - bytesOf(a))

  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })

  return new Map([...files.filter(file => slow.test(file)).map(file => [file]), ...groups].map(write))

  function write(files, index) {
    const name = files[0].replace(/^test\//, '').replaceAll('/', '-')
    const path = join(folder, `${String(index).padStart(2, '0')}-${name}`)

    writeFileSync(path, groupOf(files.map(file => relative(folder, join(root, file)))))

    return [relative(root, path), files]
  }
}

/** A file that fails before its tests fails as a test of its name, and the others run. */
function groupOf(paths) {
  return `import t from 'tap'

for (const path of ${JSON.stringify(paths)}) {
  try {
    await import(path)
  } catch (error) {
    t.test(\`\${path} before its tests\`, () => Promise.reject(error))
  }
}
`
}

function testsIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter(name => name.endsWith('.test.ts'))
    .map(name => join(folder, name))
    .sort()
}

function bytesOf(files) {
  return files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0)
}

/** Splits into groups of about the same size. */
function split(files) {
  const count = Math.ceil(files.length / groupSize)

  return Array.from({ length: count }, (_, n) => files.filter((_, index) => index % count === n))
}
