import { InvalidInput } from '#lib/refusals.ts'

const maxParameters = 1000
const maxDepth = 10
/** Names that would reach an object's prototype. */
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype'])

/** Intermediate form: a Map for names, an array for `[]`. */
type Members = Map<string, unknown>

/**
 * Parses bracketed names of forms and queries: `a=1`, `a[]=1`, `a[key]=1`, `a[0][key]=1`, and `a[][key]=1`,
 * where a repeated key starts the next element.
 */
export function parseNested(entries: [name: string, value: unknown][]) {
  const members: Members = new Map()

  if (entries.length > maxParameters) throw new InvalidInput(`At most ${maxParameters} parameters can be given`)
  for (const [name, value] of entries) {
    const path = pathOf(name)

    if (path.length > maxDepth + 1) throw new InvalidInput(`${path[0]} is nested too deeply`)
    if (!path.some(part => forbiddenNames.has(part))) put(members, path, value)
  }

  return Object.fromEntries([...members].map(([name, value]) => [name, toPlain(value)]))
}

/** Splits `a[b][]` into `a`, `b` and an empty part. A malformed name counts as a plain name. */
function pathOf(name: string) {
  const [, first, rest] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? []

  return first && rest ? [first, ...rest.slice(1, -1).split('][')] : [name]
}

function put(members: Members, [name = '', ...rest]: string[], value: unknown) {
  const [next] = rest
  const existing = members.get(name)

  if (next === undefined) {
    if (existing instanceof Map || Array.isArray(existing)) throw new InvalidInput(`${name} is invalid`)
    members.set(name, value)
  } else if (next === '') {
    const list = existing ?? []

    if (!Array.isArray(list)) throw new InvalidInput(`${name} is invalid`)
    members.set(name, list)
    append(list, name, rest.slice(1), value)
  } else {
    const inner = existing ?? new Map()

    if (!(inner instanceof Map)) throw new InvalidInput(`${name} is invalid`)
    members.set(name, inner)
    put(inner, rest, value)
  }
}

function append(list: unknown[], name: string, path: string[], value: unknown) {
  const last = list.at(-1)

  if (path.length === 0) list.push(value)
  else if (path[0] === '') throw new InvalidInput(`${name} is invalid`)
  else if (last instanceof Map && !has(last, path)) put(last, path, value)
  else {
    const next: Members = new Map()

    list.push(next)
    put(next, path, value)
  }
}

/** Whether the path is already set. A list always accepts another element. */
function has(members: Members, [name = '', ...rest]: string[]): boolean {
  if (rest[0] === '' || !members.has(name)) return false
  const existing = members.get(name)

  return !(existing instanceof Map) || rest.length === 0 || has(existing, rest)
}

/** Members with only numeric names become an array, in numeric order. */
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain)
  if (!(value instanceof Map)) return value
  const members = [...(value as Members)].map(([name, inner]) => [name, toPlain(inner)] as const)

  if (!members.every(([name]) => /^\d{1,9}$/.test(name))) return Object.fromEntries(members)

  return members.sort(([one], [other]) => Number(one) - Number(other)).map(([, inner]) => inner)
}
