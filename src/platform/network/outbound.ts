import { type LookupAddress, lookup } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPrivate } from './private-networks.ts'

export interface Question {
  headers: Record<string, string>
  /** Whether it may be asked of machines in private networks. */
  allowsPrivate: boolean
  timeoutMs?: number
  maxBytes?: number
}

/** Why an address that somebody gave could not be asked, in words that go after its name. */
export class Unreachable extends Error {}

/**
 * Asks an address that a user gave, with GET. Whatever it is, it takes no longer and no more memory than told, and leads
 * to no machine that only this one can reach: the address that is checked is the one that is connected to.
 */
export async function ask(url: URL, { headers, allowsPrivate, timeoutMs = 5000, maxBytes = 1 << 20 }: Question) {
  const host = url.hostname.replace(/^\[|\]$/g, '')

  if (!allowsPrivate && isIP(host) && isPrivate(host)) throw new Unreachable(inPrivate)
  const signal = AbortSignal.timeout(timeoutMs)

  try {
    const response = await send(url, { headers, signal, agent: false, ...(!allowsPrivate && { lookup: lookUpPublic }) })

    return { status: response.statusCode ?? 0, text: await readText(response, maxBytes) }
  } catch (error) {
    if (error instanceof Unreachable) throw error
    if (signal.aborted) throw new Unreachable(`did not answer within ${timeoutMs / 1000} seconds`)
    throw new Unreachable(`cannot be reached (${(error as NodeJS.ErrnoException).code ?? 'no connection'})`)
  }
}

const inPrivate = 'lies in a private network, which this installation does not call (OUTBOUND_PRIVATE_NETWORKS)'

function send(url: URL, options: object) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = url.protocol === 'https:' ? requestHttps : requestHttp

  // Redirects are not followed: they might lead inside.
  request(url, options, resolve).on('error', reject).end()

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

async function readText(response: IncomingMessage, maxBytes: number) {
  const chunks: Buffer[] = []
  let bytes = 0

  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Unreachable('answers too much')
    chunks.push(chunk)
  }

  return Buffer.concat(chunks).toString('utf8')
}
