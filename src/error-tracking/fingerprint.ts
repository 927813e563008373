import { createHash } from 'node:crypto'
import type { Frame, Occurrence } from './normalise.ts'

/** Kept beside every hash, so that the rules can change without tearing known groups apart. */
export const groupingVersion = 1

/** Occurrences with the same fingerprint are one problem. */
export function fingerprint(occurrence: Occurrence) {
  return createHash('sha1').update(contributions(occurrence).join('\n')).digest()
}

/** What a group is called, and where it happened. */
export function describe({ type, value, message, frames, transaction }: Occurrence) {
  const last = frames.findLast(frame => frame.isInApp) ?? frames.at(-1)
  const place = last?.module ?? last?.filename
  const actor = transaction ?? [last?.function, place && `(${place})`].filter(Boolean).join('')

  return {
    name: firstLine(type ?? (message || value)) || 'Error',
    description: type ? cut(value, 1000) : cut(message || value, 1000),
    actor: cut(actor, 300)
  }
}

/** Type and frames, our own before any; without frames the words have to tell. */
function contributions({ type, value, message, frames, level }: Occurrence) {
  if (!type) return ['message', message || value || `<no message> ${level}`]
  const inApp = frames.filter(frame => frame.isInApp)
  const telling = inApp.length > 0 ? inApp : frames

  return telling.length > 0 ? ['exception', type, ...telling.map(contribution)] : ['exception', type, value]
}

function contribution({ module, filename, function: name }: Frame) {
  return `${module ?? basename(filename ?? '').toLowerCase()}\t${name ?? ''}`
}

function basename(path: string) {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

function firstLine(text: string) {
  return cut(text.split('\n', 1)[0]!, 255)
}

function cut(text: string, length: number) {
  return text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text
}
