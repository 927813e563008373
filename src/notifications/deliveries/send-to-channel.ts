import { STATUS_CODES } from 'node:http'
import { fetchOutbound, Unreachable } from '#platform/network/outbound.ts'
import { decryptSecrets } from '../channels/channel-secrets.ts'
import type { NotificationChannel } from '../channels/notification-channel.ts'
import type { ChannelKind } from '../channels/web-channels.ts'
import { webChannelOf } from '../channels/web-channels.ts'
import type { Message } from '../messages/message.ts'
import type { Outcome, SendDeps } from './outcome.ts'

const timeoutMs = 10_000
const maxAnswerBytes = 65_536

type Channel = Pick<NotificationChannel, 'kind' | 'projectId' | 'settings' | 'secrets'>

export async function sendToChannel(channel: Channel, message: Message, deps: SendDeps): Promise<Outcome> {
  const secrets = channel.secrets && (await decryptSecrets(deps.config, channel.projectId, channel.secrets))

  return postMessage(channel.kind, secrets ? { ...channel.settings, ...secrets } : undefined, message, deps)
}

/** POSTs a message to a receiver. Never throws for what the receiver does. */
export async function postMessage(
  name: ChannelKind,
  settings: Record<string, unknown> | undefined,
  message: Message,
  { config }: SendDeps
): Promise<Outcome> {
  const kind = webChannelOf(name)

  if (!settings || !kind) return { status: 'failed', answer: 'Its address cannot be decrypted: SECRET_KEY has changed. Enter it again.' }
  const { url, headers = {}, body } = kind.write(message, settings)

  try {
    const answer = await fetchOutbound(new URL(url), {
      headers: { 'content-type': 'application/json', 'user-agent': 'Tocsin', ...headers },
      body,
      allowsPrivate: config.outbound.allowsPrivate,
      timeoutMs,
      maxBytes: maxAnswerBytes
    })

    return outcomeOf(answer, kind.refusalIn?.(answer.text))
  } catch (error) {
    if (error instanceof Unreachable) return { status: 'retry', answer: `The receiver ${error.message}.` }
    throw error
  }
}

interface Answer {
  status: number
  headers: { 'retry-after'?: string }
  text: string
}

function outcomeOf({ status, headers, text }: Answer, refusal?: string): Outcome {
  const said = refusal ?? text.trim().slice(0, 300)
  const answer = said === '' ? `${status} ${STATUS_CODES[status] ?? ''}`.trim() : `${status}: ${said}`

  if (status >= 200 && status < 300) return refusal === undefined ? { status: 'sent', answer } : { status: 'failed', answer }
  const isTemporary = status === 408 || status === 425 || status === 429 || status >= 500

  return isTemporary ? { status: 'retry', answer, retryAfterMs: readRetryAfter(headers['retry-after']) } : { status: 'failed', answer }
}

/** Seconds, or a date (RFC 9110 §10.2.3). */
function readRetryAfter(value: string | undefined) {
  if (!value) return undefined
  const ms = /^\d{1,9}(\.\d{1,9})?$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - Date.now()

  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}
