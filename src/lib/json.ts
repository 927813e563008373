import { storableText } from './storable-text.ts'

export type Json = Record<string, unknown>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function objectOrEmpty(value: unknown): Json {
  return isObject(value) ? value : {}
}

export function objectOrUndefined(value: unknown) {
  return isObject(value) ? value : undefined
}

export function listOrEmpty(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** A string, or a number as text. */
export function textOrEmpty(value: unknown) {
  if (typeof value === 'string') return value

  return typeof value === 'number' ? String(value) : ''
}

/** A string or a number as text that Postgres can store; undefined when nothing is left. */
export function textOrUndefined(value: unknown) {
  return storableText(textOrEmpty(value)) || undefined
}

/** The objects of a Sentry interface, sent as a list, as `{ values: [...] }`, or as a single object. */
export function valuesOf(value: unknown): Json[] {
  const values = isObject(value) && 'values' in value ? value.values : value

  return (Array.isArray(values) ? values : [values]).filter(isObject)
}

const manyDigits = /\d{16}/

/** Parses JSON. Integers that a double would change become strings with their digits: different ones would be equal. */
export function parseJson(text: string): unknown {
  return manyDigits.test(text) ? JSON.parse(text, preserveDigits as (key: string, value: unknown) => unknown) : JSON.parse(text)
}

function preserveDigits(_key: string, value: unknown, { source }: { source: string }) {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) && String(value) !== source ? source : value
}

export function isEmpty(object: Json) {
  for (const _ in object) return false

  return true
}

export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const member of Object.values(Object.freeze(value))) deepFreeze(member)

  return value
}

/** The members of an object that are not undefined. */
export function definedIn<T extends object>(values: T) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>
}

/** The own member of a table that a caller's text names: `constructor` and `toString` are members of every object. */
export function lookUp<Value>(table: { [name: string]: Value } | Partial<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
