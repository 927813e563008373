import { isObject, type Json } from '#lib/json.ts'
import { bounded, sections } from '#lib/markdown.ts'
import type { TextLimits, ToolResult } from './tool.ts'

/** Clients show the model the Markdown or the JSON. Each has at most this many characters. */
export const maxResult = 30_000

const shortestText = 50
/** A result whose texts have at most 30,000 characters has lists of at most 600 members. */
const charactersPerMember = 50

/** Cuts long texts and lists, shorter and shorter, until the Markdown and the JSON fit. Both name what was left out. */
export function fitResult({ data, write, limits = {}, rest }: ToolResult) {
  for (let max = maxResult; ; max = Math.floor(max / 2)) {
    const omissions: string[] = []
    const shorter = shorten(data, { max, limits, omissions }) as Json
    const leftOut = omissions.length > 0 && [`Left out to fit: ${omissions.join(', ')}.`, rest].filter(Boolean).join(' ')
    const fitted = leftOut ? { ...shorter, left_out: leftOut } : shorter
    const text = sections(write(shorter), leftOut)

    if (max <= shortestText || (text.length <= maxResult && jsonLength(fitted) <= maxResult)) return { text, data: fitted }
  }
}

export function jsonLength(value: unknown) {
  return JSON.stringify(value).length
}

interface Shortening {
  max: number
  limits: TextLimits
  omissions: string[]
}

function shorten(value: unknown, to: Shortening, path: string[] = []): unknown {
  if (typeof value === 'string') return shortenText(value, to, path)
  if (Array.isArray(value)) return shortenList(value, to, path)
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([name, member]) => [name, shorten(member, to, [...path, name])])

  return Object.fromEntries(members)
}

function shortenText(text: string, { max, limits, omissions }: Shortening, path: string[]) {
  const name = path.at(-1)!
  const limit = Object.hasOwn(limits, name) ? limits[name] : undefined

  if (limit && limit.max <= max) return bounded(text, limit.max, limit.rest)
  if (text.length > max) omissions.push(`characters of ${path.join('.')}`)

  return bounded(text, max, limit?.rest)
}

function shortenList(list: unknown[], to: Shortening, path: string[]) {
  const length = Math.floor(to.max / charactersPerMember)

  if (list.length > length) to.omissions.push(`${list.length - length} of ${path.join('.')}`)

  return list.slice(0, length).map(member => shorten(member, to, path))
}
