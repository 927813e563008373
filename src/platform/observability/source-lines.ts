import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..', '..')
const position = /\.bundle\/\w+\/[\w-]+\.js:\d+:\d+/g

/** Tells the positions of a stack trace as those in the sources that the bundle was made of. */
export function inSources(stack: string) {
  if (!stack.includes('.bundle/')) return stack

  return stack
    .replaceAll(`file://${root}/`, '')
    .replaceAll(`${root}/`, '')
    .replace(position, bundled => {
      try {
        const [file = '', line, column] = bundled.split(':')

        return find(join(root, file), Number(line), Number(column))
      } catch {
        // The bundle was replaced.
        return bundled
      }
    })
}

/** The last entry that begins at or before the position (bin/source-lines.js). */
function find(bundle: string, line: number, column: number) {
  const bytes = readFileSync(`${bundle}.lines`)
  const at = (entry: number, member: number) => bytes.readUInt32LE(16 * entry + 4 * member)
  let [first, beyond] = [0, bytes.length / 16]

  while (beyond - first > 1) {
    const middle = (first + beyond) >> 1
    const isBefore = at(middle, 0) < line || (at(middle, 0) === line && at(middle, 1) <= column)

    if (isBefore) first = middle
    else beyond = middle
  }

  return `${JSON.parse(readFileSync(`${bundle}.sources`, 'utf8'))[at(first, 2)]}:${at(first, 3)}`
}
