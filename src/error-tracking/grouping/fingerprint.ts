import { textOrEmpty } from '../../lib/json.ts'
import type { GroupingInput } from './grouping-input.ts'
import { parameterise } from './parameterise.ts'
import { variableResolver } from './variables.ts'

/** What an event itself wants to be grouped by; nothing when that is left to us. */
export type Fingerprint = (string | typeof byDefault)[]

/** Stands for whatever would have counted by default. */
export const byDefault = Symbol('{{ default }}')

const mostEntries = 50
const longestEntry = 1024
const isDefault = /^\s{0,8}\{\{\s{0,8}default\s{0,8}\}\}\s{0,8}$/

export function readFingerprint(evidence: GroupingInput): Fingerprint | undefined {
  const given = evidence.event.fingerprint
  if (given === undefined || given === null) return undefined
  const entries = (Array.isArray(given) ? given : [given])
    .slice(0, mostEntries)
    .map(entry => textOrEmpty(entry).slice(0, longestEntry))
    .filter(Boolean)

  if (entries.every(entry => isDefault.test(entry))) return undefined

  const fillIn = variableResolver(evidence)

  return entries.map(entry => {
    if (isDefault.test(entry)) return byDefault

    return isMessage(entry, evidence) ? parameterise(entry) : fillIn(entry).slice(0, longestEntry)
  })
}

/** Who takes the message itself for a fingerprint does not mean the ids in it. */
function isMessage(entry: string, { text, template, exceptions }: GroupingInput) {
  return [text, template, exceptions.at(-1)?.value].some(words => words && words.slice(0, longestEntry) === entry)
}
