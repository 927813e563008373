import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { TLSSocket } from 'node:tls'
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
  /** GET unless given, or POST with a body. */
  method?: string
  body?: string | Buffer
  /** Finds the addresses of a host; the system's lookup unless given. */
  resolve?: (host: string) => Promise<LookupAddress[]>
}

/** The URL could not be fetched. The message completes a sentence that begins with the URL. */
export class Unreachable extends Error {
  /** `TIMEOUT`, `PRIVATE`, or the code of the network's error. */
  code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

/**
 * Requests a URL that a user entered, with bounds on time and size. Private addresses are refused (SSRF): the address
 * that is checked is the one that is connected to, so DNS rebinding does not help.
 */
export async function fetchOutbound(url: URL, options: OutboundOptions) {
  const { headers, allowsPrivate, timeoutMs = 5000, maxBytes = 1 << 20, isCut = false, verifiesTls = true, resolve, body } = options
  const { method = body === undefined ? 'GET' : 'POST' } = options
  const host = url.hostname.replace(/^\[|\]$/g, '')

  if (!allowsPrivate && isIP(host) && isPrivate(host)) throw inPrivate()
  const signal = AbortSignal.timeout(timeoutMs)

  try {
    const lookup = allowsPrivate && !resolve ? {} : { lookup: lookUpBy(resolve ?? lookUpAll, allowsPrivate) }
    const response = await send(url, { method, headers, signal, agent: false, rejectUnauthorized: verifiesTls, ...lookup }, body)
    const certificateExpiresAt = expiryOf(response)

    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      certificateExpiresAt,
      text: await readText(response, maxBytes, isCut)
    }
  } catch (error) {
    if (error instanceof Unreachable) throw error
    if (signal.aborted) throw new Unreachable(`did not answer within ${timeoutMs / 1000} seconds`, 'TIMEOUT')
    const { code } = error as NodeJS.ErrnoException

    throw new Unreachable(`cannot be reached (${code ?? 'no connection'})`, code)
  }
}

function inPrivate() {
  return new Unreachable('is in a private network, which this installation does not contact (OUTBOUND_PRIVATE_NETWORKS)', 'PRIVATE')
}

function send(url: URL, options: object, body?: string | Buffer) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = url.protocol === 'https:' ? requestHttps : requestHttp

  // Redirects are not followed: they could lead to a private address.
  request(url, options, resolve).on('error', reject).end(body)

  return promise
}

function lookUpAll(host: string) {
  return lookup(host, { all: true })
}

function lookUpBy(resolve: NonNullable<OutboundOptions['resolve']>, allowsPrivate: boolean): LookupFunction {
  return (host, options, done) => {
    resolve(host)
      .then(([first, ...others]) => {
        if (!first) throw new Unreachable('has no address')
        if (!allowsPrivate && [first, ...others].some(({ address }) => isPrivate(address))) throw inPrivate()

        return options.all ? done(null, [first, ...others]) : done(null, first.address, first.family)
      })
      .catch(error => done(error, ''))
  }
}

/** Undefined without TLS. */
function expiryOf({ socket }: IncomingMessage) {
  return socket instanceof TLSSocket ? new Date(socket.getPeerCertificate().valid_to) : undefined
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
