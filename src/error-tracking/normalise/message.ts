import { asObject, asText, isEmpty, type Json, present } from './json.ts'
import { truncateText, truncateTree } from './truncate.ts'

const longest = 8192

/**
 * What an event says, as { message: the template, params, formatted }, out of its `logentry` and its `message`: each a
 * text or such an object.
 */
export function readLogentry(logentry: unknown, message: unknown): Json | undefined {
  const first = asEntry(logentry)
  const second = asEntry(message)
  const template = first.message ?? second.message
  const params = asParams(first.params ?? second.params)
  const text = [first.formatted, second.formatted, second.message].find(other => other !== undefined && other !== template)
  const formatted = text ?? (template && params && fillIn(template as string, params))
  const entry = present({ message: template, params, formatted: formatted && formatted !== template ? formatted : undefined })

  return isEmpty(entry) || (entry.message === undefined && entry.formatted === undefined) ? undefined : entry
}

function asEntry(given: unknown): Json {
  const entry = asObject(given)

  if (!entry) return { message: asMessage(given) }

  return { message: asMessage(entry.message), formatted: asMessage(entry.formatted), params: entry.params }
}

function asMessage(given: unknown) {
  const text = asText(given)

  return text && truncateText(text, longest)
}

function asParams(given: unknown) {
  if (typeof given !== 'object' || given === null || isEmpty(given as Json)) return undefined

  return truncateTree(given, { depth: 3, text: 1024, total: longest }) as Json | unknown[]
}

/** Fills in %s and {}, by order or by name, for SDKs that leave it to the server. */
function fillIn(template: string, params: Json | unknown[]) {
  let next = 0
  const filled = template.replace(/%\((\w{1,64})\)[sdrif]|%[sdrif]|\{(\w{0,64})\}/g, (place, byName, inBraces) => {
    const key = byName || inBraces || String(next++)
    const param = Object.hasOwn(params, key) ? (params as Json)[key] : undefined

    return typeof param === 'object' || param === undefined ? place : String(param)
  })

  return truncateText(filled, longest)
}
