import { BadParameter } from '../problems/problems.ts'

const mostParameters = 1000
const deepest = 10
/** Names that mean something to every object. */
const harmful = new Set(['__proto__', 'constructor', 'prototype'])

/** While entries come in: names by level, `[]` as a list. */
type Members = Map<string, unknown>

/**
 * Parameters from flat names, as forms and queries have them: `a=1`, `a[]=1`, `a[key]=1`, `a[0][key]=1`, and
 * `a[][key]=1`, where a key that comes again begins the next one.
 */
export function nest(entries: [name: string, value: unknown][]) {
  const members: Members = new Map()

  if (entries.length > mostParameters) throw new BadParameter(`At most ${mostParameters} parameters can be given`)
  for (const [name, value] of entries) {
    const path = pathOf(name)

    if (path.length > deepest + 1) throw new BadParameter(`${path[0]} is nested too deeply`)
    if (!path.some(part => harmful.has(part))) put(members, path, value)
  }

  return Object.fromEntries([...members].map(([name, value]) => [name, settle(value)]))
}

/** `a[b][]` is `a`, `b` and an empty part. What is not of this form is a name like any other. */
function pathOf(name: string) {
  const [, first, rest] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? []

  return first && rest ? [first, ...rest.slice(1, -1).split('][')] : [name]
}

function put(members: Members, [name = '', ...rest]: string[], value: unknown) {
  const [next] = rest
  const there = members.get(name)

  if (next === undefined) {
    if (there instanceof Map || Array.isArray(there)) throw new BadParameter(`${name} is invalid`)
    members.set(name, value)
  } else if (next === '') {
    const list = there ?? []

    if (!Array.isArray(list)) throw new BadParameter(`${name} is invalid`)
    members.set(name, list)
    append(list, name, rest.slice(1), value)
  } else {
    const inner = there ?? new Map()

    if (!(inner instanceof Map)) throw new BadParameter(`${name} is invalid`)
    members.set(name, inner)
    put(inner, rest, value)
  }
}

function append(list: unknown[], name: string, path: string[], value: unknown) {
  const last = list.at(-1)

  if (path.length === 0) list.push(value)
  else if (path[0] === '') throw new BadParameter(`${name} is invalid`)
  else if (last instanceof Map && !has(last, path)) put(last, path, value)
  else {
    const next: Members = new Map()

    list.push(next)
    put(next, path, value)
  }
}

/** A list inside can always take one more. */
function has(members: Members, [name = '', ...rest]: string[]): boolean {
  if (rest[0] === '' || !members.has(name)) return false
  const there = members.get(name)

  return !(there instanceof Map) || rest.length === 0 || has(there, rest)
}

/** Numbered members are a list, however far apart their numbers lie. */
function settle(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settle)
  if (!(value instanceof Map)) return value
  const members = [...(value as Members)].map(([name, inner]) => [name, settle(inner)] as const)

  if (!members.every(([name]) => /^\d{1,9}$/.test(name))) return Object.fromEntries(members)

  return members.sort(([one], [other]) => Number(one) - Number(other)).map(([, inner]) => inner)
}
