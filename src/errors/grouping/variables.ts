import { objectOrEmpty, textOrEmpty } from '#lib/json.ts'
import { functionOf } from './frames.ts'
import { crashFrame, type GroupingInput } from './grouping-input.ts'
import { languageOf } from './languages.ts'

const maxLength = 1024
const placeholder = /\{\{\s{0,8}([\w.-]{1,200})\s{0,8}\}\}/g

const variables: Record<string, (input: GroupingInput) => string> = {
  transaction: ({ transaction }) => transaction,
  message: input => withoutIds(input.text || (input.exceptions.at(-1)?.value ?? ''), input),
  type: ({ exceptions }) => exceptions.at(-1)?.type ?? '',
  value: input => withoutIds(input.exceptions.at(-1)?.value ?? '', input),
  function: crashFunction,
  module: input => textOrEmpty(crashFrame(input).module),
  package: input => textOrEmpty(crashFrame(input).package),
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

/** Replaces `{{ variables }}` of fingerprint entries; unknown ones stay. Each variable is read once per event. */
export function variableResolver(input: GroupingInput) {
  const resolved = new Map<string, string>()

  return (entry: string) =>
    entry.replace(placeholder, (text, name: string) => {
      const value = resolved.get(name) ?? readVariable(name, input)?.slice(0, maxLength) ?? text

      resolved.set(name, value)

      return value
    })
}

function readVariable(variable: string, input: GroupingInput) {
  if (variable.startsWith('tags.')) return tagOf(input, variable.slice(5)) || `<no-value-for-tag-${variable.slice(5)}>`
  const name = aliases.get(variable) ?? variable

  return Object.hasOwn(variables, name) ? variables[name]!(input) || `<no-${name}>` : undefined
}

function withoutIds(text: string, { parameterise }: GroupingInput) {
  return parameterise(text.slice(0, maxLength))
}

function crashFunction(input: GroupingInput) {
  const frame = crashFrame(input)

  return functionOf(frame, languageOf(textOrEmpty(frame.platform) || input.platform))
}

function tagOf({ event }: GroupingInput, name: string) {
  const tags = objectOrEmpty(event.tags)

  return Object.hasOwn(tags, name) ? textOrEmpty(tags[name]) : ''
}
