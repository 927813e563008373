import Type from 'typebox'
import type { Message, Occurrence } from '#notifications/messages/message.ts'
import { severityColors } from '#notifications/messages/severity-colors.ts'
import { cut, cutEscaped, delayNote, lineOf, titleOf, writeFact } from '#notifications/messages/wording.ts'
import type { WebChannel } from '../web-channel.ts'

const Settings = Type.Object({})
const Secrets = Type.Object({ url: Type.String({ maxLength: 2000, description: 'The webhook URL of a Discord channel.' }) })

const maxLines = 10
const maxFacts = 8

/**
 * A message with one embed. Discord refuses messages with more than 6,000 characters in all, 256 in a title, a name or an author,
 * 1,024 in a value, or with an empty value.
 */
export const discord: WebChannel<typeof Settings, typeof Secrets> = {
  settings: Settings,
  secrets: Secrets,
  write: (message, { url }) => ({
    url,
    // No text of ours may mention a user or a role.
    body: JSON.stringify({ username: 'Tocsin', embeds: [toEmbed(message)], allowed_mentions: { parse: [] } })
  })
}

function toEmbed(message: Message) {
  const [first] = message.occurrences

  return {
    title: cut(titleOf(message), 256),
    url: message.total === 1 ? first!.subject.url : message.url,
    color: Number.parseInt(severityColors[message.worst ?? 'unknown'].slice(1), 16),
    author: { name: cut(message.project.name, 256), url: message.project.url },
    ...(message.total === 1 ? details(first!) : { description: list(message) }),
    footer: { text: cut(message.reason, 200) },
    timestamp: message.at.toISOString()
  }
}

function details({ subject, text }: Occurrence) {
  return {
    ...(text?.trim() && { description: cutEscaped(text, 1000, escapeText) }),
    fields: subject.facts
      .filter(([, value]) => value.trim())
      .slice(0, maxFacts)
      .map(([name, value]) => ({ name: cut(name, 50), value: writeFact(subject, value, 400, escapeText), inline: value.length < 40 }))
  }
}

function list(message: Message) {
  const lines = message.occurrences
    .slice(0, maxLines)
    .map(occurrence => `- [${cutEscaped(lineOf(occurrence), 200, escapeText)}](${occurrence.subject.url})`)
  const more = message.total - lines.length

  return cut([...lines, ...(more > 0 ? [`[and ${more} more](${message.url})`] : []), delayNote(message)].filter(Boolean).join('\n'), 4096)
}

/** Markdown in texts of others is shown as it is. */
function escapeText(text: string) {
  return text.replaceAll(/[\\*_~`|>[\]()#]/g, '\\$&')
}
