import Type from 'typebox'
import type { Message, Occurrence } from '#notifications/messages/message.ts'
import { severityColors } from '#notifications/messages/severity-colors.ts'
import { cutEscaped, delayNote, lineOf, titleOf } from '#notifications/messages/wording.ts'
import type { WebChannel } from '../web-channel.ts'

const Settings = Type.Object({})
const Secrets = Type.Object({ url: Type.String({ maxLength: 2000, description: 'The URL of an incoming webhook.' }) })

const maxLines = 10
const maxFacts = 8

type Quote = (text: string) => string

/** Mattermost takes the same payload. */
export const slack = incomingWebhook(escapeText)
export const mattermost = incomingWebhook(text => escapeText(withoutMentions(text)))

/** A message with legacy attachments: both Slack and Mattermost show their color and fields. */
function incomingWebhook(quote: Quote): WebChannel<typeof Settings, typeof Secrets> {
  return {
    settings: Settings,
    secrets: Secrets,
    write: (message, { url }) => ({ url, body: JSON.stringify(toPayload(message, quote)) })
  }
}

function toPayload(message: Message, quote: Quote) {
  const [first] = message.occurrences
  const url = message.total === 1 ? first!.subject.url : message.url

  return {
    text: `${cutEscaped(message.project.name, 300, quote)}: <${url}|${cutEscaped(titleOf(message), 500, quote)}>`,
    attachments: [
      {
        color: severityColors[message.worst ?? 'unknown'],
        fallback: cutEscaped(titleOf(message), 500, quote),
        mrkdwn_in: ['text'],
        ...(message.total === 1 ? details(first!, quote) : { text: list(message, quote) }),
        footer: cutEscaped(`Tocsin, ${message.reason}`, 300, quote),
        ts: Math.floor(message.at.getTime() / 1000)
      }
    ]
  }
}

function details({ subject, text }: Occurrence, quote: Quote) {
  return {
    ...(text && { text: cutEscaped(text, 1000, quote) }),
    fields: subject.facts
      .slice(0, maxFacts)
      .map(([title, value]) => ({ title, value: cutEscaped(value, 500, quote), short: value.length < 40 }))
  }
}

function list(message: Message, quote: Quote) {
  const lines = message.occurrences
    .slice(0, maxLines)
    .map(occurrence => `• <${occurrence.subject.url}|${cutEscaped(lineOf(occurrence), 200, quote)}>`)
  const more = message.total - lines.length

  return [...lines, ...(more > 0 ? [`<${message.url}|and ${more} more>`] : []), delayNote(message)].filter(Boolean).join('\n')
}

/** Slack's control characters. Without them, a title can neither link nor mention anyone. */
function escapeText(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Mattermost also mentions `@channel` and users in plain text. A zero-width space ends the name. */
function withoutMentions(text: string) {
  return text.replaceAll('@', '@\u200b')
}
