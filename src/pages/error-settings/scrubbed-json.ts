import { isObject, type Json } from '#lib/json.ts'
import { redacted } from '#lib/scrub/redacted.ts'
import { type Html, html } from '../layout/html.ts'

/** The JSON of a scrubbed event. Replaced values, and names of removed ones, are marked and counted. */
export function scrubbedJson(event: Json, scrubbed: Json) {
  const counts = { replaced: 0, removed: 0 }

  return { view: write(event, scrubbed, '', counts), ...counts }
}

interface Counts {
  replaced: number
  removed: number
}

function write(before: unknown, after: unknown, indent: string, counts: Counts): Html {
  if (before === after) return html`${JSON.stringify(after, undefined, 2).replaceAll('\n', `\n${indent}`)}`
  if (isObject(before) && isObject(after)) return writeObject(before, after, indent, counts)
  if (Array.isArray(before) && Array.isArray(after)) return writeList(before, after, indent, counts)
  counts.replaced++

  return writeReplaced(JSON.stringify(after))
}

function writeObject(before: Json, after: Json, indent: string, counts: Counts) {
  const lines = Object.keys(before).map(name =>
    name in after
      ? html`${JSON.stringify(name)}: ${write(before[name], after[name], `${indent}  `, counts)}`
      : writeRemoved(JSON.stringify(name), counts)
  )

  return block('{', lines, '}', indent)
}

/** In lists, only pairs of a name and a value are removed. */
function writeList(before: unknown[], after: unknown[], indent: string, counts: Counts) {
  const remaining = [...after]
  const lines = before.map(element => {
    const isKept = before.length === after.length || nameOf(element) === nameOf(remaining[0])

    return isKept ? write(element, remaining.shift(), `${indent}  `, counts) : writeRemoved(JSON.stringify(nameOf(element)), counts)
  })

  return block('[', lines, ']', indent)
}

function nameOf(element: unknown) {
  return Array.isArray(element) ? element[0] : element
}

function block(start: string, lines: Html[], end: string, indent: string) {
  return html`${start}${lines.map((line, n) => html`${n > 0 && ','}${`\n${indent}  `}${line}`)}${`\n${indent}`}${end}`
}

function writeRemoved(name: string, counts: Counts) {
  counts.removed++

  return html`<del>${name}: removed</del>`
}

/** Marks the replaced parts of a text, or all of a value. */
function writeReplaced(json: string) {
  const parts = json.split(redacted)

  if (parts.length === 1) return html`<mark>${json}</mark>`

  return html`${parts.map((part, n) => html`${n > 0 && html`<mark>${redacted}</mark>`}${part}`)}`
}
