import type { TopFrame } from '#errors/events/top-frame.ts'
import { escapeHtml } from '#lib/escape-html.ts'
import { writtenTime } from '#lib/zoned-time.ts'
import type { Message, Occurrence } from '../messages/message.ts'
import { severityColors } from '../messages/severity-colors.ts'
import type { Fact, Subject } from '../messages/subject.ts'
import { isNamedAfterTrigger } from '../messages/trigger-labels.ts'
import { cut, delayNote, headingOf, headlineOf, lineOf, nameOf, titleOf } from '../messages/wording.ts'

const maxLines = 50
const maxFact = 2000
const maxText = 10_000

export interface MailOptions {
  unsubscribeUrl?: string
  /** The recipient's. */
  timeZone?: string
}

/**
 * The content of an e-mail. The subject line of an alert, an error or an incident says its state and severity, and that of an issue is
 * always the same. In both cases, messages about one of them are one thread.
 */
export function writeMail(given: Message, { unsubscribeUrl, timeZone }: MailOptions = {}) {
  const message = timeZone ? inZone(given, timeZone) : given
  const { id, total, occurrences, project } = message
  const [first] = occurrences as [Occurrence]

  return {
    id,
    subject: cut(`${project.name} | ${total === 1 ? subjectLine(message, first) : titleOf(message)}`, 250),
    ...(total === 1 && !message.isTest && { thread: `${first.subject.type}-${first.subject.id}` }),
    ...(unsubscribeUrl && { unsubscribeUrl }),
    text: total === 1 ? textOfOne(message, first, unsubscribeUrl) : textOfMany(message, unsubscribeUrl),
    html: htmlOf(message, unsubscribeUrl)
  }
}

/** The times of the facts in a time zone. */
function inZone(message: Message, timeZone: string): Message {
  const occurrences = message.occurrences.map(({ subject, ...occurrence }) => {
    const facts = subject.facts.map(([name, value, at]): Fact => [name, at ? writtenTime(at, timeZone) : value, at])

    return { ...occurrence, subject: { ...subject, facts } }
  })

  return { ...message, occurrences }
}

function subjectLine({ isTest }: Message, occurrence: Occurrence) {
  const { entry, subject } = occurrence
  const isState = subject.type === 'incident' ? /^issue\.(opened|closed|reopened)$/.test(entry.kind) : /^(alert|error)$/.test(subject.type)

  return isState && !isTest ? headlineOf(occurrence) : nameOf(occurrence)
}

function textOfOne(message: Message, occurrence: Occurrence, unsubscribeUrl?: string) {
  const { subject, text } = occurrence
  const facts = subject.facts.map(([name, value]) => `${name}: ${cut(value, maxFact)}`).join('\n')

  return [
    titleOf(message),
    text && cut(text, maxText),
    subject.topFrame && textOfFrame(subject.topFrame),
    facts,
    [subject.url, ...nextSteps(message, subject).map(({ name, url }) => `${name}: ${url}`)].join('\n'),
    footer(message, unsubscribeUrl)
  ]
    .filter(Boolean)
    .join('\n\n')
}

function textOfFrame({ place, line, code }: TopFrame) {
  return [place, ...code.map(([number, text]) => `${number === line ? '>' : ' '} ${String(number).padStart(5)} | ${text}`)].join('\n')
}

const steps: Record<string, string> = { 'error unresolved': 'Resolve', 'alert triggered': 'Acknowledge' }

/** The page asks to confirm: programs that follow the links of a mail change nothing. */
function nextSteps({ isTest }: Message, { type, status, url }: Subject) {
  const step = isTest ? undefined : steps[`${type} ${status}`]

  return step ? [{ name: step, url: `${url}?act=${step.toLowerCase()}` }] : []
}

function textOfMany(message: Message, unsubscribeUrl?: string) {
  const lines = message.occurrences.slice(0, maxLines).map(occurrence => `- ${lineOf(occurrence)}\n  ${occurrence.subject.url}`)
  const more = message.total - lines.length

  return [
    titleOf(message),
    lines.join('\n'),
    more > 0 ? `and ${more} more: ${message.url}` : message.url,
    delayNote(message),
    footer(message, unsubscribeUrl)
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** RFC 3676 §4.3: the line before a signature. */
function footer(message: Message, unsubscribeUrl?: string) {
  return ['-- ', why(message), ...(unsubscribeUrl ? [`Unsubscribe: ${unsubscribeUrl}`] : [])].join('\n')
}

function why({ project, reason }: Message) {
  return `You're receiving this because of ${isNamedAfterTrigger(reason) ? 'a rule' : reason} in ${project.name}.`
}

function htmlOf(message: Message, unsubscribeUrl?: string) {
  const { occurrences, total, worst = 'unknown' } = message
  const [first] = occurrences as [Occurrence]

  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width"></head>
<body style="font: 15px/1.5 system-ui, sans-serif; margin: 0; padding: 16px">
<div style="max-width: 640px; margin: 0 auto; border-left: 4px solid ${severityColors[worst]}; padding-left: 16px">
${total === 1 ? htmlOfOne(message, first) : htmlOfMany(message)}
<p style="font-size: 13px; opacity: 0.75">${escapeHtml(why(message))}${
    unsubscribeUrl ? ` <a href="${escapeHtml(unsubscribeUrl)}" style="color: inherit">Unsubscribe</a>` : ''
  }</p>
</div></body></html>
`
}

function htmlOfOne(message: Message, occurrence: Occurrence) {
  const { isTest } = message
  const { subject, actor, text } = occurrence
  const rows = subject.facts.map(
    ([name, value]) =>
      `<tr><th align="left" valign="top" style="padding-right: 12px; font-weight: 600">${escapeHtml(name)}</th><td style="white-space: pre-wrap; overflow-wrap: anywhere">${value === subject.runbook ? linkTo(value) : escapeHtml(cut(value, maxFact))}</td></tr>`
  )

  return `<p style="margin: 0; opacity: 0.75">${isTest ? 'Test' : escapeHtml(headingOf(occurrence))}${actor ? ` by ${escapeHtml(actor.name)}` : ''}${
    subject.severity && !isTest ? ` · ${subject.severity}` : ''
  }</p>
<h1 style="font-size: 19px; margin: 4px 0 12px; overflow-wrap: anywhere"><a href="${escapeHtml(subject.url)}">${escapeHtml(nameOf(occurrence))}</a></h1>
${text ? `<p style="white-space: pre-wrap; overflow-wrap: anywhere">${escapeHtml(cut(text, maxText))}</p>` : ''}
${subject.topFrame ? htmlOfFrame(subject.topFrame) : ''}
<table style="border-collapse: collapse">${rows.join('\n')}</table>
${nextSteps(message, subject)
  .map(({ name, url }) => `<p style="margin: 16px 0"><a href="${escapeHtml(url)}" style="${button}">${name}</a></p>`)
  .join('')}`
}

const button = 'display: inline-block; padding: 8px 16px; border-radius: 6px; background: #9a3412; color: #fff; text-decoration: none'

function htmlOfFrame({ place, line, code }: TopFrame) {
  const lines = code.map(([number, text]) => {
    const written = escapeHtml(`${String(number).padStart(5)}  ${text}`)

    return number === line ? `<strong>${written}</strong>` : written
  })

  return `<p style="margin: 12px 0 4px; font-family: monospace; overflow-wrap: anywhere">${escapeHtml(place)}</p>
${lines.length > 0 ? `<pre style="margin: 0 0 12px; padding: 8px; overflow-x: auto; background: rgba(128, 128, 128, 0.15); font-size: 13px">${lines.join('\n')}</pre>` : ''}`
}

function linkTo(url: string) {
  return `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`
}

function htmlOfMany(message: Message) {
  const items = message.occurrences
    .slice(0, maxLines)
    .map(
      occurrence =>
        `<li>${escapeHtml(headingOf(occurrence))}${occurrence.subject.severity ? ` · ${occurrence.subject.severity}` : ''}: <a href="${escapeHtml(occurrence.subject.url)}">${escapeHtml(nameOf(occurrence))}</a></li>`
    )
  const more = message.total - items.length
  const note = delayNote(message)

  return `<h1 style="font-size: 19px; margin: 0 0 12px"><a href="${escapeHtml(message.url)}">${escapeHtml(titleOf(message))}</a></h1>
<ul style="padding-left: 20px; overflow-wrap: anywhere">${items.join('\n')}</ul>
${more > 0 ? `<p><a href="${escapeHtml(message.url)}">and ${more} more</a></p>` : ''}
${note ? `<p>${escapeHtml(note)}</p>` : ''}`
}
