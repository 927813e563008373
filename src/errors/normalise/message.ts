import { isEmpty, type Json, objectOrUndefined, textOrUndefined } from '#lib/json.ts'
import { truncateText, truncateTree } from './truncate.ts'

const maxLength = 8192

/** The log entry of an event, `{ message: the template, params, formatted }`, from its `logentry` and `message`: each text or an object. */
export function normaliseLogentry(logentry: unknown, message: unknown): Json | undefined {
  const first = toEntry(logentry)
  const second = toEntry(message)
  const template = first.message ?? second.message
  const params = normaliseParams(first.params ?? second.params)
  const text = [first.formatted, second.formatted, second.message].find(text => text !== undefined && text !== template)
  const formatted = text ?? (template && params && formatMessage(template, params))

  if (template === undefined && formatted === undefined) return undefined

  return {
    ...(template !== undefined && { message: template }),
    ...(params && { params }),
    ...(formatted && formatted !== template && { formatted })
  }
}

function toEntry(value: unknown): { message?: string; formatted?: string; params?: unknown } {
  const entry = objectOrUndefined(value)

  if (!entry) return { message: toText(value) }

  return { message: toText(entry.message), formatted: toText(entry.formatted), params: entry.params }
}

function toText(value: unknown) {
  const text = textOrUndefined(value)

  return text && truncateText(text, maxLength)
}

function normaliseParams(value: unknown) {
  if (typeof value !== 'object' || value === null || isEmpty(value as Json)) return undefined

  return truncateTree(value, { depth: 3, text: 1024, total: maxLength }) as Json | unknown[]
}

/** Fills in %s and {}, by position or by name, for SDKs that leave it to the server. */
export function formatMessage(template: string, params: Json | unknown[]) {
  let position = 0
  const formatted = template.replace(/%\((\w{1,64})\)[sdrif]|%[sdrif]|\{(\w{0,64})\}/g, (placeholder, name, bracedName) => {
    const key = name || bracedName || String(position++)
    const param = Object.hasOwn(params, key) ? (params as Json)[key] : undefined

    return typeof param === 'object' || param === undefined ? placeholder : String(param)
  })

  return truncateText(formatted, maxLength)
}
