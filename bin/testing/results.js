import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../install.js'

const dir = join(root, '.tap', 'test-results')

/** tap writes the results of every test process into a file of its own, while the tests run. */
export function clearResults(groups) {
  for (const group of groups) rmSync(fileOf(group), { force: true })
}

export function readResults(groups) {
  return groups.flatMap(group => {
    const text = existsSync(fileOf(group)) ? readFileSync(fileOf(group), 'utf8') : ''

    return parseResults(text).map(result => ({ group, ...result }))
  })
}

function fileOf(group) {
  return join(dir, `${group}.tap`)
}

/** The tests at the top level, with their file and what their failed assertions say. */
export function parseResults(text) {
  const results = []
  let file = ''
  let start = 0

  for (const match of text.matchAll(/^(?:# file: (.+)|(not )?ok \d+ - ?(.*?)(?: # (?:time=([\d.]+)ms|(SKIP).*))?)$/gm)) {
    const [, nextFile, isFailed, name, ms = 0, isSkipped] = match
    const subtests = text.slice(start, match.index)

    start = match.index + match[0].length
    if (nextFile) file = nextFile
    else {
      const state = isFailed ? 'failed' : isSkipped ? 'skipped' : 'passed'

      results.push({ file, name, ms: Number(ms), state, details: isFailed ? listFailures(subtests) : '' })
    }
  }

  return results
}

/** Without excerpts of the source. */
function listFailures(subtests) {
  const blocks = subtests.matchAll(/^( +)not ok \d+ - (?!.*# time=)(.*)\n(?:\1 {2}---\n([\s\S]*?)\n\1 {2}\.\.\.)?/gm)

  return [...blocks]
    .map(([, , name, yaml = '']) => `  ${name}\n${yaml.replace(/^( *)source: [|>].*\n(?:\1 +.*\n| *\n)*/gm, '')}`)
    .join('\n')
}
