import type { OutboxKind } from '#outbox/outbox-entry.ts'
import type { Message, Occurrence } from './message.ts'
import type { Subject } from './subject.ts'

const maxNamed = 200

const verbs: Record<OutboxKind, string> = {
  'error.new': 'New error',
  'error.regressed': 'Error came back',
  'error.frequent': 'Frequent error',
  'error.unseen': 'Unassigned error',
  'error.spike': 'Spike of errors',
  'error.users': 'Error affects many users',
  'feedback.new': 'New feedback',
  'release.unhealthy': 'Release crashes',
  'alert.triggered': 'Alert triggered',
  'alert.acknowledged': 'Alert acknowledged',
  'alert.resolved': 'Alert resolved',
  'issue.opened': 'opened',
  'issue.closed': 'closed',
  'issue.reopened': 'reopened',
  'issue.reassigned': 'reassigned',
  'issue.due': 'due soon',
  'note.created': 'New comment',
  'project.moved': 'Project moved'
}

/** What happened, such as `Alert triggered` or `Incident closed`. */
export function headingOf({ entry, subject }: Occurrence) {
  const heading = verbs[entry.kind]

  // It was held when it happened.
  if (entry.data.muteId) return subject.type === 'incident' ? 'Incident still open' : 'Alert still firing'

  return entry.kind.startsWith('issue.') ? `${subject.type === 'incident' ? 'Incident' : 'Issue'} ${heading}` : heading
}

/** One line: what happened, to what, by whom. */
export function lineOf(occurrence: Occurrence) {
  const { actor } = occurrence

  return `${headlineOf(occurrence)}${actor ? `, by ${actor.name}` : ''}`
}

/** What happened, how severe it is, and to what: `Alert triggered (critical): Disk full (^alert#3)`. */
export function headlineOf(occurrence: Occurrence) {
  const { subject } = occurrence
  const isGraded = subject.type === 'alert' || subject.type === 'incident'
  const severity = isGraded && subject.severity && subject.severity !== 'unknown' ? ` (${subject.severity})` : ''

  return `${headingOf(occurrence)}${severity}: ${nameOf(occurrence)}`
}

/** The title of the subject, with its reference if it has one. */
export function nameOf({ subject: { title, reference } }: Occurrence) {
  return reference ? `${title} (${reference})` : title
}

/** The title of a message: its most severe occurrence, and how many others there are. */
export function titleOf({ isTest, occurrences, total }: Message) {
  const [first] = occurrences as [Occurrence]

  if (isTest) return first.subject.title

  return total === 1 ? lineOf(first) : `${cut(lineOf(first), maxNamed)} and ${total - 1} more`
}

/** Why a message has more than one occurrence, for its end. */
export function delayNote({ isLimited }: Message) {
  return isLimited ? 'These notifications were held back by this channel’s hourly limit.' : undefined
}

/** A fact of a subject, cut and escaped. A runbook that fits is an address without characters of markup, which receivers make a link. */
export function writeFact({ runbook }: Subject, value: string, length: number, quote: (text: string) => string) {
  const address = value === runbook ? URL.parse(value)?.href.replaceAll(/[*_~`|<>[\]()]/g, toPercent) : undefined

  return address && address.length <= length ? address : cutEscaped(value, length, quote)
}

function toPercent(character: string) {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** The text without more than a number of characters. */
export function cut(text: string, length: number) {
  return text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text
}

/** The text, cut so that it has no more than a number of characters once it is escaped. */
export function cutEscaped(text: string, length: number, quote: (text: string) => string) {
  let kept = cut(text, length)
  let escaped = quote(kept)

  while (escaped.length > length) {
    kept = cut(kept, Math.floor((kept.length * length) / escaped.length))
    escaped = quote(kept)
  }

  return escaped
}
