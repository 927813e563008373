import Type from 'typebox'
import type { Severity } from '#lib/severity.ts'
import type { Message, Occurrence } from '#notifications/messages/message.ts'
import { cut, delayNote, lineOf, titleOf } from '#notifications/messages/wording.ts'
import type { WebChannel } from '../web-channel.ts'

const Settings = Type.Object({
  topic: Type.String({ pattern: '^[-_A-Za-z0-9]{1,64}$', description: 'The topic to publish to.' })
})
const Secrets = Type.Object({
  url: Type.String({ maxLength: 2000, description: 'The address of the server, such as `https://ntfy.sh`.' }),
  token: Type.Optional(Type.String({ maxLength: 500, description: 'An access token, if the topic is protected.' }))
})

const maxLines = 10
const priorities: Record<Severity, number> = { critical: 5, high: 4, medium: 3, low: 2, info: 2, unknown: 3 }
const tags: Record<Severity, string> = {
  critical: 'rotating_light',
  high: 'warning',
  medium: 'large_orange_diamond',
  low: 'small_blue_diamond',
  info: 'information_source',
  unknown: 'grey_question'
}

/** Published as JSON to the root of the server. */
export const ntfy: WebChannel<typeof Settings, typeof Secrets> = {
  settings: Settings,
  secrets: Secrets,
  write: (message, { url, topic, token }) => ({
    url: new URL('/', url).href,
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
    body: JSON.stringify(toPayload(message, topic))
  })
}

function toPayload(message: Message, topic: string) {
  const [first] = message.occurrences
  const severity = message.worst ?? 'unknown'
  const isOver = message.total === 1 && /\.(resolved|closed)$/.test(first!.entry.kind)

  return {
    topic,
    title: cut(`${message.project.name}: ${titleOf(message)}`, 250),
    message: message.total === 1 ? details(first!) : list(message),
    priority: isOver ? 2 : priorities[severity],
    tags: [isOver ? 'white_check_mark' : tags[severity]],
    click: message.total === 1 ? first!.subject.url : message.url
  }
}

/** ntfy turns messages above 4,096 bytes into attachments. */
function details({ subject, text }: Occurrence) {
  const facts = subject.facts.slice(0, 8).map(([name, value]) => `${name}: ${cut(value, 200)}`)

  return cut([...(text ? [cut(text, 500)] : []), ...facts].join('\n') || subject.title, 1300)
}

function list(message: Message) {
  const lines = message.occurrences.slice(0, maxLines).map(occurrence => cut(lineOf(occurrence), 110))
  const more = message.total - lines.length

  return [...lines, ...(more > 0 ? [`and ${more} more`] : []), delayNote(message)].filter(Boolean).join('\n')
}
