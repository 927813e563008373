import Type from 'typebox'
import type { Message, Occurrence } from '../../messages/message.ts'
import { severityColors } from '../../messages/severity-colors.ts'
import { cut, delayNote, lineOf, titleOf } from '../../messages/wording.ts'
import type { ChannelKind, WebChannel } from '../channel.ts'

const Settings = Type.Object({})
const Secrets = Type.Object({ url: Type.String({ maxLength: 2000, description: 'The URL of an incoming webhook.' }) })

const maxLines = 10
const maxFacts = 8

/** Mattermost takes the same payload. */
export const slack = incomingWebhook('slack', 'Slack')
export const mattermost = incomingWebhook('mattermost', 'Mattermost')

/** A message with legacy attachments: both Slack and Mattermost show their color and fields. */
function incomingWebhook(kind: ChannelKind, label: string): WebChannel<typeof Settings, typeof Secrets> {
  return {
    kind,
    label,
    settings: Settings,
    secrets: Secrets,
    write: (message, { url }) => ({ url, body: JSON.stringify(toPayload(message)) })
  }
}

function toPayload(message: Message) {
  const [first] = message.occurrences
  const title = cut(titleOf(message), 300)

  return {
    text: `${escapeText(message.project.name)}: <${message.total === 1 ? first!.subject.url : message.url}|${escapeText(title)}>`,
    attachments: [
      {
        color: severityColors[message.worst ?? 'unknown'],
        fallback: title,
        mrkdwn_in: ['text'],
        ...(message.total === 1 ? details(first!) : { text: list(message) }),
        footer: `Tocsin, ${message.reason}`,
        ts: Math.floor(message.at.getTime() / 1000)
      }
    ]
  }
}

function details({ subject, text }: Occurrence) {
  return {
    ...(text && { text: escapeText(cut(text, 1000)) }),
    fields: subject.facts
      .slice(0, maxFacts)
      .map(([title, value]) => ({ title, value: escapeText(cut(value, 500)), short: value.length < 40 }))
  }
}

function list(message: Message) {
  const lines = message.occurrences
    .slice(0, maxLines)
    .map(occurrence => `• <${occurrence.subject.url}|${escapeText(cut(lineOf(occurrence), 200))}>`)
  const more = message.total - lines.length

  return [...lines, ...(more > 0 ? [`<${message.url}|and ${more} more>`] : []), delayNote(message)].filter(Boolean).join('\n')
}

/** Slack's control characters. Without them, a title can neither link nor mention anyone. */
function escapeText(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
