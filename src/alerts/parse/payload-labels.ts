import { isObject } from '#lib/json.ts'
import { isPresent } from './mapping.ts'
import { type Path, parseText, type ReadPath } from './payload-reader.ts'
import { readText } from './payload-text.ts'

export type Entry = [name: string, value: string]

const maxValueLength = 10_000

/** Where senders put labels, tags and dimensions. */
export const labelPaths: Path[] = [
  ['labels'],
  ['tags'],
  ['event_tags'],
  ['alert', 'tags'],
  ['alert', 'details'],
  ['incident', 'policy_user_labels'],
  ['incident', 'resource', 'labels'],
  ['incident', 'metric', 'labels'],
  ['data', 'event', 'tags'],
  ['data', 'customProperties'],
  ['data', 'alertContext', 'condition', 'allOf', 0, 'dimensions'],
  ['detail', 'configuration', 'metrics', 0, 'metricStat', 'metric', 'dimensions'],
  ['Message', 'Trigger', 'Dimensions'],
  ['Trigger', 'Dimensions'],
  ['monitor', 'tags']
]

/** Names and values, whichever form the sender has for them. */
export function readLabels(read: ReadPath): Entry[] {
  return labelPaths.flatMap(path => readPairs(read(path), String(path.at(-1))))
}

/** An object, a list of pairs, of objects or of texts such as `env:production`, or such a text with commas. */
function readPairs(value: unknown, name: string): Entry[] {
  if (isObject(value)) return Object.entries(value).flatMap(([member, inner]) => entry(member, inner))
  if (Array.isArray(value)) return value.flatMap(item => readPair(item, name))
  if (typeof value !== 'string') return []
  const nested = parseText(value)

  return nested === undefined ? value.split(',').flatMap(text => readPair(text, name)) : readPairs(nested, name)
}

function readPair(item: unknown, name: string): Entry[] {
  if (Array.isArray(item)) return entry(String(item[0]), item[1])
  if (isObject(item)) return pairOf(item, name)
  const [, label, value] = /^([^:]+):(?!\/\/)(.+)$/s.exec(String(item)) ?? []

  return label ? entry(label.trim(), value) : entry(name, item)
}

/** `{name: 'host', value: 'db-1'}`. A tag without a value is its own value. */
function pairOf({ name, tag, key, value }: Record<string, unknown>, fallback: string) {
  const label = [name, tag, key].find(isPresent)

  return isPresent(value) ? entry(String(label ?? fallback), value) : entry(fallback, label)
}

/** Nothing for an empty value. */
export function entry(name: string, value: unknown): Entry[] {
  const text = readText(isObject(value) || Array.isArray(value) ? JSON.stringify(value) : value, maxValueLength)

  return text === undefined ? [] : [[readText(name, maxValueLength) ?? '', text]]
}
