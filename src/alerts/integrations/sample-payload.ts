import type { Path } from '../parse/mapping.ts'

/** Something in a payload that an attribute can be taken from. */
export interface PayloadField {
  path: Path
  /** The path as people read it: `labels.host`, `alerts[0].name`. */
  label: string
  type: 'string' | 'number' | 'boolean' | 'array'
  /** Its value, in short. */
  value: string
}

const longest = 64 * 1024
const deepest = 20
const mostFields = 300
/** Of a list: the others look like these. */
const mostItems = 3
const longestValue = 40

/** Why a text is no payload that a mapping could be made with. */
export function sampleError(text: string) {
  if (text.length > longest) return `must have at most ${longest} characters`
  try {
    if (!isJson(JSON.parse(text))) return 'must be a JSON object: {"title": …}'
  } catch (error) {
    return `must be JSON: ${(error as Error).message}`
  }
}

/** What a payload holds, in its order: every value, and every list of values as a whole. */
export function listFields(payload: string): PayloadField[] {
  const fields: PayloadField[] = []

  collect(JSON.parse(payload), [], fields)

  return fields
}

export function pathLabel(path: Path) {
  return path
    .map((step, n) => (typeof step === 'number' ? `[${step}]` : isPlain(step) ? `${n > 0 ? '.' : ''}${step}` : `["${step}"]`))
    .join('')
}

function collect(value: unknown, path: Path, fields: PayloadField[]) {
  if (value === null || value === undefined || fields.length >= mostFields || path.length > deepest) return
  if (Array.isArray(value)) collectList(value, path, fields)
  else if (isJson(value)) for (const [name, member] of Object.entries(value)) collect(member, [...path, name], fields)
  else if (path.length > 0) fields.push(fieldAt(path, typeof value as PayloadField['type'], String(value)))
}

function collectList(list: unknown[], path: Path, fields: PayloadField[]) {
  if (path.length > 0 && list.length > 0 && list.every(item => typeof item !== 'object')) {
    fields.push(fieldAt(path, 'array', list.join(', ')))
  }
  for (const [position, item] of list.slice(0, mostItems).entries()) collect(item, [...path, position], fields)
}

function fieldAt(path: Path, type: PayloadField['type'], text: string): PayloadField {
  const value = text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text

  return { path, label: pathLabel(path), type, value }
}

function isPlain(name: string) {
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name)
}

function isJson(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
