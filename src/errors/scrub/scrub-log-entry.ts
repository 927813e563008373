import { type Json, objectOrUndefined, textOrEmpty } from '#lib/json.ts'
import { redacted } from '#lib/scrub/redacted.ts'
import { scrubText } from '#lib/scrub/scrub-text.ts'
import type { TextRules } from '#lib/scrub/text-rules.ts'
import { formatMessage } from '../normalise/message.ts'
import { redact } from './redact.ts'
import type { CompiledRules } from './rules.ts'

/** Shorter values occur in any text. */
const minLength = 3

/**
 * A log entry without the parameters that its template makes secret: `password=%s`, or that their names do: `%(password)s`. The formatted
 * message loses them, too.
 */
export function scrubParameters(entry: Json, rules: CompiledRules, textRules: TextRules): Json {
  const params = objectOrList(entry.params)
  const template = textOrEmpty(entry.message)

  if (!params || !template) return entry
  const secret = secretKeys(template, params, rules, textRules)

  if (secret.length === 0) return entry
  const scrubbed = Array.isArray(params) ? [...params] : { ...params }

  for (const key of secret) (scrubbed as Json)[key] = redact((params as Json)[key])

  return {
    ...entry,
    params: scrubbed,
    ...(entry.formatted !== undefined && { formatted: formatAgain(entry, params as Json, scrubbed, secret) })
  }
}

function objectOrList(value: unknown) {
  return Array.isArray(value) ? value : objectOrUndefined(value)
}

/** Probes take the place of the parameters: those that do not survive the scrubbing of the text stand where secrets do. */
function secretKeys(template: string, params: Json | unknown[], rules: CompiledRules, textRules: TextRules) {
  const keys = Object.keys(params).filter(key => typeof (params as Json)[key] !== 'object')
  const probes = Object.fromEntries(keys.map((key, n) => [key, `prObe${n}x7Qz`]))
  const text = formatMessage(template, probes)
  const scrubbed = scrubText(text, textRules)
  const isLost = (probe: string) => text.includes(probe) && !scrubbed.includes(probe)

  return keys.filter(key => isLost(probes[key]!) || (!Array.isArray(params) && rules.actionFor(key) === 'redact'))
}

/** By the server's rules if the message was formatted by them; the SDK may have others. */
function formatAgain({ message, formatted }: Json, params: Json, scrubbed: Json | unknown[], secret: string[]) {
  const text = textOrEmpty(formatted)
  const template = textOrEmpty(message)

  if (formatMessage(template, params) === text) return formatMessage(template, scrubbed)
  const values = secret.map(key => String(params[key])).filter(value => value.length >= minLength)

  return values.reduce((text, value) => text.replaceAll(value, redacted), text)
}
