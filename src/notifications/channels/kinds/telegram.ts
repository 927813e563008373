import Type from 'typebox'
import type { Message, Occurrence } from '#notifications/messages/message.ts'
import { cut, cutEscaped, delayNote, lineOf, titleOf, writeFact } from '#notifications/messages/wording.ts'
import type { WebChannel } from '../web-channel.ts'

const Settings = Type.Object({
  chat_id: Type.String({
    pattern: '^(-?\\d{1,20}|@[A-Za-z0-9_]{1,64})$',
    description: 'The ID of a chat, group or channel, or the @name of a public channel.'
  })
})
const Secrets = Type.Object({
  token: Type.String({ pattern: '^\\d{1,20}:[\\w-]{20,100}$', description: 'The token of a bot that may write there.' }),
  url: Type.String({
    default: 'https://api.telegram.org',
    maxLength: 2000,
    description: 'The address of the Bot API, if it is your own server.'
  })
})

const maxLines = 10
const maxFacts = 8

/** Messages have at most 4,096 characters after their entities are read. Quiet ones make no sound. */
export const telegram: WebChannel<typeof Settings, typeof Secrets> = {
  settings: Settings,
  secrets: Secrets,
  write: (message, { url, token, chat_id }) => ({
    url: new URL(`/bot${token}/sendMessage`, url).href,
    body: JSON.stringify({
      chat_id,
      text: writeText(message),
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      disable_notification: isQuiet(message)
    })
  })
}

function writeText(message: Message) {
  const [first] = message.occurrences
  const url = message.total === 1 ? first!.subject.url : message.url
  const title = `<a href="${escapeText(url)}"><b>${cutEscaped(titleOf(message), 500, escapeText)}</b></a>`

  return `${escapeText(cut(message.project.name, 200))}: ${title}\n${message.total === 1 ? details(first!) : list(message)}`.trim()
}

function details({ subject, text }: Occurrence) {
  const facts = subject.facts
    .filter(([, value]) => value.trim())
    .slice(0, maxFacts)
    .map(([name, value]) => `<b>${escapeText(cut(name, 50))}:</b> ${writeFact(subject, value, 250, escapeText)}`)

  return [text?.trim() && cutEscaped(text, 800, escapeText), ...facts].filter(Boolean).join('\n')
}

function list(message: Message) {
  const lines = message.occurrences
    .slice(0, maxLines)
    .map(occurrence => `• <a href="${escapeText(occurrence.subject.url)}">${cutEscaped(lineOf(occurrence), 200, escapeText)}</a>`)
  const more = message.total - lines.length

  return [...lines, more > 0 && `and ${more} more`, delayNote(message)].filter(Boolean).join('\n')
}

function isQuiet({ worst, occurrences, total }: Message) {
  const isOver = occurrences.length === total && occurrences.every(({ entry }) => /\.(resolved|closed|acknowledged)$/.test(entry.kind))

  return isOver || worst === 'low' || worst === 'info'
}

function escapeText(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
