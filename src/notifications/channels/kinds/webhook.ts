import { createHmac, randomBytes } from 'node:crypto'
import Type, { type Static } from 'typebox'
import type { Message, Occurrence } from '#notifications/messages/message.ts'
import { cut } from '#notifications/messages/wording.ts'
import type { WebChannel } from '../web-channel.ts'

const dayMs = 24 * 3_600_000
const maxFact = 2000
const maxText = 10_000

const SigningSecret = (description: string) => Type.String({ pattern: '^whsec_[A-Za-z0-9+/]{32,100}={0,2}$', description })

const Settings = Type.Object({})
const Secrets = Type.Object({
  url: Type.String({ maxLength: 2000, description: 'Receives a POST with JSON.' }),
  signing_secret: SigningSecret('Signs each request.'),
  former_signing_secret: Type.Optional(SigningSecret('The previous secret, which also signs for a day after it was replaced.')),
  replaced_at: Type.Optional(Type.String({ maxLength: 40 }))
})

/** A signed webhook, as the Standard Webhooks specification describes. */
export const webhook: WebChannel<typeof Settings, typeof Secrets> = {
  settings: Settings,
  secrets: Secrets,
  generate: () => ({ signing_secret: newSigningSecret() }),
  write(message, { url, ...secrets }) {
    const body = JSON.stringify(toPayload(message))
    const now = Date.now()
    const timestamp = String(Math.floor(now / 1000))
    const signed = `${message.id}.${timestamp}.${body}`

    return {
      url,
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': message.id,
        'webhook-timestamp': timestamp,
        'webhook-signature': secretsOf(secrets, now)
          .map(secret => `v1,${sign(secret, signed)}`)
          .join(' ')
      }
    }
  }
}

/** Receivers accept either signature, so that they can change the secret at a time of their own. */
function secretsOf(
  { signing_secret: secret, former_signing_secret: former, replaced_at: at }: Omit<Static<typeof Secrets>, 'url'>,
  now: number
) {
  const isRecent = at !== undefined && now - Date.parse(at) < dayMs

  return former && isRecent ? [secret, former] : [secret]
}

export function newSigningSecret() {
  return `whsec_${randomBytes(32).toString('base64')}`
}

function sign(secret: string, text: string) {
  return createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(text)
    .digest('base64')
}

function toPayload({ occurrences, total, project, url, reason, at, isTest }: Message) {
  const [first] = occurrences

  return {
    type: isTest ? 'test' : total === 1 ? first!.entry.kind : 'notifications.gathered',
    timestamp: at.toISOString(),
    data: { project, total, url, reason, occurrences: occurrences.map(toJson) }
  }
}

function toJson({ entry, subject, actor, text }: Occurrence) {
  const { type, id, reference, title, url, status, severity, level, environments, releases, tags, runbook } = subject

  return {
    kind: entry.kind,
    at: entry.createdAt.toISOString(),
    actor: actor && { id: actor.id, name: actor.name, username: actor.username },
    text: text && cut(text, maxText),
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
      runbook,
      facts: Object.fromEntries(subject.facts.map(([name, value, at]) => [name, at?.toISOString() ?? cut(value, maxFact)]))
    }
  }
}
