import { encodePath } from '#lib/encode-path.ts'
import { isWebUrl } from '#lib/web-url.ts'

export const maxPatternLength = 500

/** What a pattern is filled with. */
export interface SourceLocation {
  commit: string
  /** A branch, tag or commit. */
  ref: string
  release: string | null
  path: string
  line: number | null
}

const names: readonly string[] = ['commit', 'ref', 'release', 'path', 'line'] satisfies (keyof SourceLocation)[]
const placeholder = /\{([^{}]*)\}/g
/** Placeholders follow the host, so that no event chooses where a link leads to. */
const start = /^https?:\/\/[^/?#{}@\\]+[/?#]/i

/** Why a text is no pattern of addresses, in words that follow the name of the field. */
export function findPatternProblem(pattern: string) {
  const used = Array.from(pattern.matchAll(placeholder), ([, name]) => name!)
  const unknown = used.find(name => !names.includes(name))

  if (!start.test(pattern) || /[\s\0-\x1f\x7f]/.test(pattern)) return 'must begin with https:// or http:// and a host, without spaces'
  if (unknown !== undefined) return `has the unknown placeholder {${unknown}}: use {commit}, {ref}, {release}, {path} and {line}`
  if (/[{}]/.test(pattern.replaceAll(placeholder, ''))) return 'has a brace that is not part of a placeholder'
  if (!used.includes('path')) return 'must contain {path}'

  return isWebUrl(pattern.replaceAll(placeholder, 'x')) ? undefined : 'is not a valid address'
}

/** The address of a file; undefined when the pattern needs a release that is not known. */
export function fillPattern(pattern: string, location: SourceLocation) {
  if (location.release === null && pattern.includes('{release}')) return undefined
  const url = withoutLine(pattern, location).replaceAll(placeholder, (_, name: keyof SourceLocation) =>
    encodePath(String(location[name] ?? '').toWellFormed())
  )

  return isWebUrl(url) ? url : undefined
}

/** A line that is not known leaves no fragment such as `#L`. */
function withoutLine(pattern: string, { line }: SourceLocation) {
  const [address = '', fragment = ''] = pattern.split('#', 2)

  return line === null && fragment.includes('{line}') ? address : pattern
}
