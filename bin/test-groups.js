import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './install.js'

/** Loading the application takes longer than most tests do; but the more of them share a process, the longer the slowest one. */
const mostTogether = 12

/** These watch processes that they start themselves, and wait for them: they run beside others best. */
const alone = /^test\/launcher\//

/**
 * Every test file, some of a folder, or of small ones, in one process: tap gets files that import them, in a folder
 * of its own, and takes them by name. What waits comes first, then what is likely to take long, so that nobody
 * waits for it at the end.
 */
export function groupTests() {
  const folder = join(root, '.tap', 'together')
  const files = readdirSync(join(root, 'test'), { recursive: true })
    .filter(name => name.endsWith('.test.ts'))
    .map(name => `test/${name}`)
    .sort()
  const others = files.filter(file => !alone.test(file))
  const folders = [...new Set(others.map(dirname))].map(folder => others.filter(file => dirname(file) === folder))
  const large = folders.filter(files => files.length > mostTogether / 2)
  const small = folders.filter(files => !large.includes(files)).flat()

  const groups = [...large, small].flatMap(chunks)
  const waiting = files.filter(file => alone.test(file)).map(file => [file])

  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })

  return [...waiting, ...groups.sort((a, b) => bytesOf(b) - bytesOf(a))].map(write)

  function write(files, place) {
    const name = files[0].replace(/^test\//, '').replaceAll('/', '-')
    const path = join(folder, `${String(place).padStart(2, '0')}-${name}`)

    writeFileSync(path, files.map(file => `import '${relative(folder, join(root, file))}'\n`).join(''))

    return relative(root, path)
  }
}

function bytesOf(files) {
  return files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0)
}

/** As alike in number as can be. */
function chunks(files) {
  const count = Math.ceil(files.length / mostTogether)

  return Array.from({ length: count }, (_, n) => files.filter((_, at) => at % count === n))
}
