import { objectOrEmpty, textOrEmpty } from '../../lib/json.ts'
import { functionOf } from './frames.ts'
import { crashFrame, type GroupingInput } from './grouping-input.ts'
import { languageOf } from './languages.ts'
import { parameterise } from './parameterise.ts'

const longestValue = 1024
const variable = /\{\{\s{0,8}([\w.-]{1,200})\s{0,8}\}\}/g

const values: Record<string, (evidence: GroupingInput) => string> = {
  transaction: ({ transaction }) => transaction,
  message: ({ text, exceptions }) => worded(text || (exceptions.at(-1)?.value ?? '')),
  type: ({ exceptions }) => exceptions.at(-1)?.type ?? '',
  value: ({ exceptions }) => worded(exceptions.at(-1)?.value ?? ''),
  function: evidence => crashFunction(evidence),
  module: evidence => textOrEmpty(crashFrame(evidence).module),
  package: evidence => textOrEmpty(crashFrame(evidence).package),
  level: ({ level }) => level,
  logger: ({ logger }) => logger
}

const aliases = new Map([
  ['error.type', 'type'],
  ['error.value', 'value'],
  ['stack.function', 'function'],
  ['stack.module', 'module'],
  ['stack.package', 'package']
])

/** Fills in what stands in double braces; a variable that nobody knows stays as it is. Each is read once an event. */
export function variableResolver(evidence: GroupingInput) {
  const known = new Map<string, string>()

  return (entry: string) =>
    entry.replace(variable, (given, name: string) => {
      const value = known.get(name) ?? read(name, evidence)?.slice(0, longestValue) ?? given

      known.set(name, value)

      return value
    })
}

function read(given: string, evidence: GroupingInput) {
  if (given.startsWith('tags.')) return tagOf(evidence, given.slice(5)) || `<no-value-for-tag-${given.slice(5)}>`
  const name = aliases.get(given) ?? given

  return Object.hasOwn(values, name) ? values[name]!(evidence) || `<no-${name}>` : undefined
}

/** A message as one may want to group by it: without the ids in it. */
function worded(text: string) {
  return parameterise(text.slice(0, longestValue))
}

function crashFunction(evidence: GroupingInput) {
  const frame = crashFrame(evidence)

  return functionOf(frame, languageOf(textOrEmpty(frame.platform) || evidence.platform))
}

/** Tags come as a map or as a list of pairs. */
function tagOf({ event: { tags } }: GroupingInput, name: string) {
  if (!Array.isArray(tags)) return Object.hasOwn(objectOrEmpty(tags), name) ? textOrEmpty(objectOrEmpty(tags)[name]) : ''
  const pair = tags.find(tag => (Array.isArray(tag) ? tag[0] : objectOrEmpty(tag).key) === name)

  return textOrEmpty(Array.isArray(pair) ? pair[1] : objectOrEmpty(pair).value)
}
