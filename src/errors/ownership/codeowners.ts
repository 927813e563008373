import type { LineProblem } from './owner-rules.ts'

export const maxCodeownersLength = 262_144

interface Entry {
  line: number
  pattern: string
  owners: string[]
}

/** Reads a CODEOWNERS file of GitHub or GitLab. Sections give their owners to entries that have none. */
export function readCodeowners(text: string) {
  const entries: Entry[] = []
  const problems: LineProblem[] = []
  let ofSection: string[] = []

  for (const [n, content] of text.split(/\r?\n/).entries()) {
    const line = n + 1
    const section = readSection(content)
    const [pattern, ...given] = wordsOf(content)

    if (section) ofSection = section
    if (section || pattern === undefined) continue
    const owners = given.length > 0 ? given : ofSection
    const text = owners.length > 0 ? findProblem(pattern) : `${pattern} has no owner: rules above it still apply`

    if (text) problems.push({ line, text })
    else entries.push({ line, pattern, owners })
  }

  return { entries, problems }
}

/** As a rule: frames do not tell the root of the repository, so patterns may begin anywhere. */
export function toMatcher(pattern: string) {
  const path = pattern
    .replace(/^(\/|\*\*\/)+/, '')
    .replace(/\*+/g, '*')
    .replace(/\/$/, '/*')
  const matcher = `path:${path || '*'}`

  return /\s/.test(matcher) ? `"${matcher}"` : matcher
}

/** The owners of `[Backend][2] @team`; undefined when the line begins no section. */
function readSection(line: string) {
  const [, owners] = /^\s*\^?\[[^\]]+\](?:\[\d+\])?(?:\s(.*))?$/s.exec(line) ?? [undefined]

  return /^\s*\^?\[/.test(line) ? wordsOf(owners ?? '') : undefined
}

/** Without a comment. A backslash keeps a space or a `#`. */
function wordsOf(line: string) {
  const words = line.match(/(?:\\.|[^\s\\])+/g) ?? []
  const comment = words.findIndex(word => word.startsWith('#'))

  return (comment === -1 ? words : words.slice(0, comment)).map(word => word.replace(/\\(.)/g, '$1'))
}

function findProblem(pattern: string) {
  if (pattern.startsWith('!')) return `${pattern} is an exclusion, which rules do not have. Give its files to their owners in a later line`
  if (/[[\]"]/.test(pattern)) return `${pattern} has characters that rules do not support. Use * and ?`

  return undefined
}
