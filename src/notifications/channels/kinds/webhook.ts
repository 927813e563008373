import { createHmac, randomBytes } from 'node:crypto'
import Type from 'typebox'
import type { Message, Occurrence } from '../../messages/message.ts'
import type { WebChannel } from '../channel.ts'

const Settings = Type.Object({})
const Secrets = Type.Object({
  url: Type.String({ maxLength: 2000, description: 'Receives a POST with JSON.' }),
  signing_secret: Type.String({ pattern: '^whsec_[A-Za-z0-9+/]{32,100}={0,2}$', description: 'Signs each request.' })
})

/** A signed webhook, as the Standard Webhooks specification describes. */
export const webhook: WebChannel<typeof Settings, typeof Secrets> = {
  kind: 'webhook',
  label: 'Webhook',
  settings: Settings,
  secrets: Secrets,
  generate: () => ({ signing_secret: newSigningSecret() }),
  write(message, { url, signing_secret: secret }) {
    const body = JSON.stringify(toPayload(message))
    const timestamp = String(Math.floor(Date.now() / 1000))

    return {
      url,
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': message.id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${sign(secret, `${message.id}.${timestamp}.${body}`)}`
      }
    }
  }
}

export function newSigningSecret() {
  return `whsec_${randomBytes(32).toString('base64')}`
}

function sign(secret: string, text: string) {
  return createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(text)
    .digest('base64')
}

function toPayload({ occurrences, total, project, url, reason, at }: Message) {
  const [first] = occurrences

  return {
    type: total === 1 ? first!.entry.kind : 'notifications.gathered',
    timestamp: at.toISOString(),
    data: { project, total, url, reason, occurrences: occurrences.map(toJson) }
  }
}

function toJson({ entry, subject, actor, text }: Occurrence) {
  const { type, id, reference, title, url, status, severity, level, environments, releases, tags } = subject

  return {
    kind: entry.kind,
    at: entry.createdAt.toISOString(),
    actor: actor && { id: actor.id, name: actor.name, username: actor.username },
    text,
    subject: {
      type,
      id,
      reference,
      title,
      url,
      status,
      severity,
      level,
      environments,
      releases,
      tags,
      facts: Object.fromEntries(subject.facts)
    }
  }
}
