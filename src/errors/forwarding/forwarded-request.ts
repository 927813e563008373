import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { inflateChunks } from '#lib/inflate.ts'
import { objectOrEmpty } from '#lib/json.ts'
import { forwardingClient } from '../jobs.ts'
import type { Dsn } from './dsn.ts'
import type { KeptEnvelope } from './forwarding-store.ts'

const compress = promisify(gzip)
/** Larger ones are not sent on. */
const maxInflated = 50 << 20

/** The request that sends an envelope to another DSN. */
export async function forwardedRequest({ envelopeUrl, securityUrl, publicKey }: Dsn, { kind, encoding, body, receivedAt }: KeptEnvelope) {
  const inflated = await collect(inflateChunks(body, encoding, maxInflated))
  const headers = { 'content-encoding': 'gzip', 'user-agent': forwardingClient }

  if (kind === 'security')
    return { url: securityUrl, headers: { ...headers, 'content-type': 'application/csp-report' }, body: await compress(inflated) }
  const envelope = kind ? wrap(kind === 'store' ? 'event' : kind, inflated) : withoutDsn(inflated, receivedAt)

  return {
    url: envelopeUrl,
    headers: {
      ...headers,
      'content-type': 'application/x-sentry-envelope',
      'x-sentry-auth': `Sentry sentry_version=7, sentry_client=${forwardingClient}, sentry_key=${publicKey}`
    },
    body: await compress(envelope)
  }
}

async function collect(chunks: AsyncIterable<Buffer>) {
  const parts: Buffer[] = []

  for await (const chunk of chunks) parts.push(chunk)

  return Buffer.concat(parts)
}

function wrap(type: string, payload: Buffer) {
  return Buffer.concat([Buffer.from(`{}\n${JSON.stringify({ type, length: payload.length })}\n`), payload])
}

/** Its header names the DSN that it was sent to, and when: receivers take the time that has passed for an error of the clock. */
function withoutDsn(envelope: Buffer, receivedAt: Date) {
  const end = envelope.indexOf('\n')
  const { dsn, sent_at: sentAt, ...header } = objectOrEmpty(JSON.parse(envelope.toString('utf8', 0, end === -1 ? undefined : end)))
  const sent = typeof sentAt === 'string' ? Date.parse(sentAt) : Number.NaN
  const later = Number.isNaN(sent) ? {} : { sent_at: new Date(sent + Date.now() - receivedAt.getTime()).toISOString() }

  return Buffer.concat([Buffer.from(JSON.stringify({ ...header, ...later })), end === -1 ? Buffer.from('\n') : envelope.subarray(end)])
}
