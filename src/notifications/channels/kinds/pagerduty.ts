import Type from 'typebox'
import type { Severity } from '#lib/severity.ts'
import type { Message, Occurrence } from '#notifications/messages/message.ts'
import { cut, titleOf } from '#notifications/messages/wording.ts'
import type { WebChannel } from '../web-channel.ts'

const Settings = Type.Object({})
const Secrets = Type.Object({
  url: Type.String({
    default: 'https://events.pagerduty.com/v2/enqueue',
    maxLength: 2000,
    description: 'PagerDuty’s URL, or that of its EU region.'
  }),
  routing_key: Type.String({ pattern: '^[A-Za-z0-9]{32}$', description: 'The integration key of a service: Events API v2.' })
})

const severities: Record<Severity, string> = {
  critical: 'critical',
  high: 'error',
  medium: 'warning',
  low: 'warning',
  info: 'info',
  unknown: 'error'
}

/** Events API v2. The subject is the incident's key: a resolved alert resolves what it triggered. */
export const pagerduty: WebChannel<typeof Settings, typeof Secrets> = {
  isPaging: true,
  settings: Settings,
  secrets: Secrets,
  write: (message, { url, routing_key }) => ({ url, body: JSON.stringify({ routing_key, ...toEvent(message) }) })
}

function toEvent(message: Message) {
  const [first] = message.occurrences
  const isGathered = message.total > 1
  const isOver = message.occurrences.length === message.total && message.occurrences.every(one => actionOf(one) !== 'trigger')
  // Only deliveries of former releases are gathered. Their resolutions call no one out.
  const action = isGathered ? (isOver ? 'resolve' : 'trigger') : actionOf(first!)
  const subject = first!.subject

  return {
    event_action: action,
    dedup_key: isGathered || message.isTest ? message.id : `tocsin-${subject.type}-${subject.id}`,
    client: 'Tocsin',
    client_url: isGathered ? message.url : subject.url,
    links: message.occurrences.slice(0, 20).flatMap(linksOf),
    payload: {
      summary: cut(titleOf(message), 1024),
      source: message.project.name,
      severity: severities[message.worst ?? 'unknown'],
      timestamp: message.at.toISOString(),
      component: tagOf(first!, 'service'),
      group: subject.environments[0],
      class: first!.entry.kind,
      custom_details: isGathered ? { notifications: message.total } : detailsOf(first!)
    }
  }
}

function linksOf({ subject: { url, title, runbook } }: Occurrence) {
  return [{ href: url, text: cut(title, 200) }, ...(runbook ? [{ href: runbook, text: 'Runbook' }] : [])]
}

/** PagerDuty refuses events above 512 KB. */
function detailsOf({ subject }: Occurrence) {
  return Object.fromEntries(subject.facts.map(([name, value]) => [name, cut(value, 2000)]))
}

function actionOf({ entry }: Occurrence) {
  if (/\.(resolved|closed)$/.test(entry.kind)) return 'resolve'

  return entry.kind === 'alert.acknowledged' ? 'acknowledge' : 'trigger'
}

function tagOf({ subject }: Occurrence, name: string) {
  return subject.tags.find(tag => tag.startsWith(`${name}=`))?.slice(name.length + 1)
}
