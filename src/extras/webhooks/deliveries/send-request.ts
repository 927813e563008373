import { createHmac } from 'node:crypto'
import { storableText } from '#lib/storable-text.ts'
import { fetchOutbound, Unreachable } from '#platform/network/outbound.ts'
import { sendableHeaders } from '../custom-headers.ts'
import { fillUrl } from '../fill-url.ts'
import { openSecrets, type Webhook, type WebhookSecrets } from '../webhook.ts'
import { fillTemplate } from './fill-template.ts'
import type { WebhookDelivery } from './webhook-delivery.ts'

export interface SendConfig {
  baseUrl: string
  secretKey?: string | undefined
  dataDir: string
  outbound: { allowsPrivate: boolean }
}

export interface Answer {
  /** A status code, or `internal error`. */
  status: string
  text: string
  isAccepted?: boolean
  /** It may be accepted later. */
  isTemporary?: boolean
  url?: string
  requestHeaders?: Record<string, string>
  responseHeaders?: Record<string, string>
  seconds?: number
}

type Request = Pick<WebhookDelivery, 'uuid' | 'eventUuid' | 'eventName' | 'payload'>

const timeoutMs = 10_000
const maxAnswerBytes = 65_536
const maxShown = 8192

/** POSTs a payload. Never throws for what the receiver does. */
export async function sendRequest(config: SendConfig, webhook: Webhook, request: Request): Promise<Answer> {
  const secrets = await openSecrets(config, webhook)

  if (!secrets) return { status: 'internal error', text: 'Its secrets cannot be decrypted: SECRET_KEY has changed.' }
  const url = URL.parse(fillUrl(webhook.url, secrets.variables))
  const body = fillTemplate(webhook.customWebhookTemplate, request.payload)

  if (!url) return { status: 'internal error', text: 'Its URL is invalid.' }
  if (body === undefined)
    return { status: 'internal error', text: 'Its custom template does not make valid JSON, or makes more than 1 MiB.' }
  const headers = headersOf(config, webhook, request)
  const sent = { url: webhook.url, requestHeaders: { ...headers, ...masked(secrets) } }
  const startedAt = performance.now()

  try {
    const answer = await fetchOutbound(url, {
      headers: { ...sendableHeaders(secrets.headers), ...headers, ...secretHeaders(secrets, request.uuid, body) },
      body,
      allowsPrivate: config.outbound.allowsPrivate,
      verifiesTls: webhook.enableSslVerification,
      timeoutMs,
      maxBytes: maxAnswerBytes,
      isCut: true
    })

    return { ...toAnswer(answer), ...sent, seconds: secondsSince(startedAt) }
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error

    return {
      status: 'internal error',
      text: `The receiver ${error.message}.`,
      isTemporary: true,
      ...sent,
      seconds: secondsSince(startedAt)
    }
  }
}

function headersOf(
  { baseUrl }: SendConfig,
  { projectId, groupId }: Webhook,
  { uuid, eventUuid, eventName }: Request
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Tocsin',
    'Idempotency-Key': uuid,
    'X-Gitlab-Event': projectId || groupId ? eventName : 'System Hook',
    'X-Gitlab-Webhook-UUID': uuid,
    'X-Gitlab-Event-UUID': eventUuid,
    'X-Gitlab-Instance': baseUrl
  }
}

/** Signed as the Standard Webhooks specification describes. */
function secretHeaders({ token, signingToken }: WebhookSecrets, id: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const key = signingToken && Buffer.from(signingToken.slice('whsec_'.length), 'base64')

  return {
    ...(token && { 'X-Gitlab-Token': token }),
    ...(key && {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
  }
}

/** As they are shown in the list of deliveries. */
function masked({ token, headers }: WebhookSecrets) {
  const names = [...Object.keys(sendableHeaders(headers)), ...(token ? ['X-Gitlab-Token'] : [])]

  return Object.fromEntries(names.map(name => [name, '[REDACTED]']))
}

function toAnswer({ status, headers, text }: Awaited<ReturnType<typeof fetchOutbound>>): Answer {
  const isAccepted = status >= 200 && status < 300
  const shown = Object.entries(headers).map(([name, value]): [string, string] => [name, storableText(String(value))])

  return {
    status: String(status),
    text: storableText(text.slice(0, maxShown)),
    isAccepted,
    isTemporary: status === 408 || status === 425 || status === 429 || status >= 500,
    responseHeaders: Object.fromEntries(shown.slice(0, 50))
  }
}

function secondsSince(startedAt: number) {
  return Math.round(performance.now() - startedAt) / 1000
}
