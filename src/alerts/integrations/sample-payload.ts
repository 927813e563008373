import { isObject, parseJson } from '#lib/json.ts'
import { type Path, parseText } from '../parse/payload-reader.ts'

/** A value of a payload that an attribute can be mapped to. */
export interface PayloadField {
  path: Path
  /** Such as `labels.host` or `alerts[0].name`. */
  label: string
  type: 'string' | 'number' | 'boolean' | 'array'
  /** Truncated. */
  value: string
}

const maxSampleLength = 64 * 1024
const maxDepth = 20
const maxFields = 300
/** Listed per array. */
const maxItems = 3
const maxValueLength = 40

/** The reason why a text is not a valid sample payload. */
export function sampleError(text: string) {
  if (text.length > maxSampleLength) return `must have at most ${maxSampleLength} characters`
  try {
    if (!isObject(JSON.parse(text))) return 'must be a JSON object: {"title": …}'
  } catch (error) {
    return `must be JSON: ${(error as Error).message}`
  }
}

/** All values of a payload, and each array of scalars as a whole, in document order. */
export function listFields(payload: string): PayloadField[] {
  const fields: PayloadField[] = []

  collect(parseJson(payload), [], fields)

  return fields
}

export function pathLabel(path: Path) {
  return path
    .map((step, n) => (typeof step === 'number' ? `[${step}]` : isPlain(step) ? `${n > 0 ? '.' : ''}${step}` : `["${step}"]`))
    .join('')
}

function collect(value: unknown, path: Path, fields: PayloadField[]) {
  if (value === null || value === undefined || fields.length >= maxFields || path.length > maxDepth) return
  const nested = typeof value === 'string' ? parseText(value) : undefined

  if (nested !== undefined) collect(nested, path, fields)
  else if (Array.isArray(value)) collectList(value, path, fields)
  else if (isObject(value)) for (const [name, member] of Object.entries(value)) collect(member, [...path, name], fields)
  else if (path.length > 0) fields.push(fieldAt(path, typeof value as PayloadField['type'], String(value)))
}

function collectList(list: unknown[], path: Path, fields: PayloadField[]) {
  if (path.length > 0 && list.length > 0 && list.every(item => typeof item !== 'object')) {
    fields.push(fieldAt(path, 'array', list.join(', ')))
  }
  for (const [position, item] of list.slice(0, maxItems).entries()) collect(item, [...path, position], fields)
}

function fieldAt(path: Path, type: PayloadField['type'], text: string): PayloadField {
  const value = text.length > maxValueLength ? `${text.slice(0, maxValueLength - 1)}…` : text

  return { path, label: pathLabel(path), type, value }
}

function isPlain(name: string) {
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name)
}
