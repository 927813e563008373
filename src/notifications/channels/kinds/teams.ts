import Type from 'typebox'
import type { Severity } from '#lib/severity.ts'
import type { Message, Occurrence } from '#notifications/messages/message.ts'
import { cutEscaped, delayNote, lineOf, titleOf, writeFact } from '#notifications/messages/wording.ts'
import type { WebChannel } from '../web-channel.ts'

const Settings = Type.Object({})
const Secrets = Type.Object({
  url: Type.String({ maxLength: 2000, description: 'The URL of a workflow "When a Teams webhook request is received".' })
})

const maxLines = 10
const maxFacts = 8
const colors: Record<Severity, string> = {
  critical: 'attention',
  high: 'warning',
  medium: 'warning',
  low: 'accent',
  info: 'accent',
  unknown: 'default'
}

/** An Adaptive Card 1.4. The workflows of Teams and the former connectors show it; they refuse messages above 28 KB. */
export const teams: WebChannel<typeof Settings, typeof Secrets> = {
  settings: Settings,
  secrets: Secrets,
  write: (message, { url }) => ({
    url,
    body: JSON.stringify({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: toCard(message) }]
    })
  })
}

function toCard(message: Message) {
  const [first] = message.occurrences

  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      { type: 'TextBlock', text: cutEscaped(message.project.name, 300, escapeText), isSubtle: true, wrap: true },
      {
        type: 'TextBlock',
        text: cutEscaped(titleOf(message), 300, escapeText),
        weight: 'Bolder',
        size: 'Medium',
        color: colors[message.worst ?? 'unknown'],
        wrap: true
      },
      ...(message.total === 1 ? details(first!) : [{ type: 'TextBlock', text: list(message), wrap: true }]),
      { type: 'TextBlock', text: cutEscaped(message.reason, 300, escapeText), isSubtle: true, size: 'Small', wrap: true }
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'Open', url: message.total === 1 ? first!.subject.url : message.url }]
  }
}

function details({ subject, text }: Occurrence) {
  const facts = subject.facts.slice(0, maxFacts).map(([title, value]) => ({ title, value: writeFact(subject, value, 300, escapeText) }))

  return [
    ...(text ? [{ type: 'TextBlock', text: cutEscaped(text, 1000, escapeText), wrap: true }] : []),
    ...(facts.length > 0 ? [{ type: 'FactSet', facts }] : [])
  ]
}

function list(message: Message) {
  const lines = message.occurrences
    .slice(0, maxLines)
    .map(occurrence => `- [${cutEscaped(lineOf(occurrence), 200, escapeText)}](${occurrence.subject.url})`)
  const more = message.total - lines.length

  return [...lines, ...(more > 0 ? [`- [and ${more} more](${message.url})`] : []), delayNote(message)].filter(Boolean).join('\n')
}

/** Markdown in texts of others is shown as it is. */
function escapeText(text: string) {
  return text.replaceAll(/[\\*_`[\]()#]/g, '\\$&')
}
