import { isObject } from '#lib/json.ts'
import { type Path, parseText } from '../parse/payload-reader.ts'

/** A value of a payload that is neither an object nor a list. */
export interface Leaf {
  path: Path
  /** Such as `labels.host` or `targets[0]`. */
  name: string
  value: unknown
}

/** All values of a payload, in document order. JSON in a text is read, too. */
export function flatten(value: unknown, path: Path = [], name = ''): Leaf[] {
  const read = typeof value === 'string' ? (parseText(value) ?? value) : value

  if (Array.isArray(read)) return read.flatMap((item, n) => flatten(item, [...path, n], `${name}[${n}]`))
  if (!isObject(read)) return [{ path, name, value: read }]

  return Object.entries(read).flatMap(([member, inner]) => flatten(inner, [...path, member], name ? `${name}.${member}` : member))
}
