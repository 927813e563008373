import { listOrEmpty, textOrEmpty } from '#lib/json.ts'
import type { GroupingInput } from './grouping-input.ts'
import { variableResolver } from './variables.ts'

/** The fingerprint that an SDK set. */
export type Fingerprint = (string | typeof defaultFingerprint)[]

/** Stands for `{{ default }}`: our own grouping. */
export const defaultFingerprint = Symbol('{{ default }}')

const maxEntryLength = 1024
const defaultPattern = /^\s{0,8}\{\{\s{0,8}default\s{0,8}\}\}\s{0,8}$/

/** Undefined when the event has no fingerprint, or only the default one. */
export function readFingerprint(input: GroupingInput): Fingerprint | undefined {
  const entries = listOrEmpty(input.event.fingerprint).map(textOrEmpty)

  if (entries.every(entry => defaultPattern.test(entry))) return undefined
  const resolveVariables = variableResolver(input)

  return entries.map(entry => {
    if (defaultPattern.test(entry)) return defaultFingerprint

    return isMessage(entry, input) ? input.parameterise(entry) : resolveVariables(entry).slice(0, maxEntryLength)
  })
}

/** A fingerprint that is the message itself is grouped like the message, without its ids. */
function isMessage(entry: string, { text, template, exceptions }: GroupingInput) {
  return [text, template, exceptions.at(-1)?.value].some(message => message && message.slice(0, maxEntryLength) === entry)
}
