import { type LookupAddress, lookup } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPrivate } from './private-networks.ts'

export interface OutboundOptions {
  headers: Record<string, string>
  /** Whether addresses in private networks may be reached. */
  allowsPrivate: boolean
  timeoutMs?: number
  maxBytes?: number
  /** Whether a longer body is cut; otherwise, it is refused. */
  isCut?: boolean
  /** Whether the certificate must be valid; true unless given. */
  verifiesTls?: boolean
  /** Makes it a POST. */
  body?: string | Buffer
}

/** The URL could not be fetched. The message completes a sentence that begins with the URL. */
export class Unreachable extends Error {}

/**
 * Requests a URL that a user entered, with bounds on time and size. Private addresses are refused (SSRF): the address
 * that is checked is the one that is connected to, so DNS rebinding does not help.
 */
export async function fetchOutbound(url: URL, options: OutboundOptions) {
  const { headers, allowsPrivate, timeoutMs = 5000, maxBytes = 1 << 20, isCut = false, verifiesTls = true, body } = options
  const host = url.hostname.replace(/^\[|\]$/g, '')

  if (!allowsPrivate && isIP(host) && isPrivate(host)) throw new Unreachable(inPrivate)
  const signal = AbortSignal.timeout(timeoutMs)

  try {
    const lookup = allowsPrivate ? {} : { lookup: lookUpPublic }
    const response = await send(url, { headers, signal, agent: false, rejectUnauthorized: verifiesTls, ...lookup }, body)

    return { status: response.statusCode ?? 0, headers: response.headers, text: await readText(response, maxBytes, isCut) }
  } catch (error) {
    if (error instanceof Unreachable) throw error
    if (signal.aborted) throw new Unreachable(`did not answer within ${timeoutMs / 1000} seconds`)
    throw new Unreachable(`cannot be reached (${(error as NodeJS.ErrnoException).code ?? 'no connection'})`)
  }
}

const inPrivate = 'is in a private network, which this installation does not contact (OUTBOUND_PRIVATE_NETWORKS)'

function send(url: URL, options: object, body?: string | Buffer) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = url.protocol === 'https:' ? requestHttps : requestHttp

  // Redirects are not followed: they could lead to a private address.
  request(url, { ...options, method: body === undefined ? 'GET' : 'POST' }, resolve)
    .on('error', reject)
    .end(body)

  return promise
}

const lookUpPublic: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[] = []) => {
    const found = addresses[0]

    if (error || !found) return done(error ?? new Unreachable('has no address'), '')
    if (addresses.some(({ address }) => isPrivate(address))) return done(new Unreachable(inPrivate), '')

    return options.all ? done(null, addresses) : done(null, found.address, found.family)
  })
}

async function readText(response: IncomingMessage, maxBytes: number, isCut: boolean) {
  const chunks: Buffer[] = []
  let bytes = 0

  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes && !isCut) throw new Unreachable('answers with too large a body')
    chunks.push(chunk)
    if (bytes > maxBytes) break
  }

  return Buffer.concat(chunks).toString('utf8', 0, maxBytes)
}
