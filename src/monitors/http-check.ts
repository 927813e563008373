import { ValidationFailed } from '#lib/refusals.ts'
import { decrypt, encrypt, type KeySource } from '#platform/database/encryption.ts'
import { isConnectionHeader, isPrintable } from '#platform/network/connection-headers.ts'
import { isOutboundUrl } from '#platform/network/outbound-url.ts'
import { parseExpectedStatus } from './expected-status.ts'

/** What an HTTP monitor requests, and which answer is good. */
export interface HttpCheck {
  url: string
  method: 'GET' | 'HEAD' | 'POST'
  /** Such as `2xx` or `200, 301-304`. */
  expectedStatus: string
  /** The body must contain it; empty for any body. */
  bodyText: string
  timeoutSeconds: number
  followsRedirects: boolean
  /** A certificate that expires within so many days fails the check; 0 to ignore its age. */
  certificateDays: number
  /** Their values are encrypted. */
  headerNames: string[]
}

/** By name. A header without a value keeps the stored one. */
export type SentHeaders = Record<string, string>

export interface CheckConfig extends KeySource {
  outbound: { allowsPrivate: boolean }
}

const maxHeaders = 10
const maxHeaderLength = 4096

/** Throws what is wrong with it, by field. */
export function validateCheck({ url, expectedStatus }: HttpCheck, headers: SentHeaders, { outbound }: CheckConfig) {
  const problems = {
    ...wrong('url', problemOfUrl(url, outbound.allowsPrivate)),
    ...wrong('expected_status', parseExpectedStatus(expectedStatus) ? undefined : 'is not a list such as 2xx or 200, 301-304'),
    ...wrong('headers', problemOfHeaders(headers))
  }

  if (Object.keys(problems).length > 0) throw new ValidationFailed(problems)
}

function wrong(field: string, problem: string | undefined) {
  return problem && { [field]: [problem] }
}

function problemOfUrl(text: string, allowsPrivate: boolean) {
  const url = URL.parse(text)

  if (!url || !isOutboundUrl(url, true)) return 'is not an address such as https://example.com/health'
  if (url.username || url.password) return 'contains a password: send it in an Authorization header'
  if (!isOutboundUrl(url, allowsPrivate)) return 'is in a private network, which this installation does not contact'

  return undefined
}

function problemOfHeaders(headers: SentHeaders) {
  const names = Object.keys(headers)
  const refused = names.find(name => !/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) || isConnectionHeader(name))

  if (names.length > maxHeaders) return `are more than ${maxHeaders}`
  if (refused !== undefined) return `cannot contain “${refused}”`
  if (Object.values(headers).some(value => value.length > maxHeaderLength || !isPrintable(value))) return 'have a value that cannot be sent'

  return undefined
}

export interface StoredHeaders {
  projectId: number
  http?: Pick<HttpCheck, 'url'> | null
  httpHeaders?: Buffer | null
}

/** Encrypts headers for storage. Kept values are taken from the monitor as it was, unless they would be sent to a new address. */
export async function sealHeaders(source: KeySource, headers: SentHeaders, url: string, stored: StoredHeaders) {
  const isKept = Object.values(headers).includes('')
  const kept = isKept && isSameOrigin(stored.http?.url, url) ? await openHeaders(source, stored) : {}
  const all = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value || kept?.[name]]))

  if (Object.values(all).includes(undefined))
    throw new ValidationFailed({ headers: ['need a value each: stored values are not sent to a new address'] })

  return Object.keys(all).length > 0 ? encrypt(source, JSON.stringify(all), ownerOf(stored)) : null
}

/** Undefined when they were encrypted with another SECRET_KEY. */
export async function openHeaders(source: KeySource, stored: Omit<StoredHeaders, 'http'>): Promise<Record<string, string> | undefined> {
  if (!stored.httpHeaders) return {}
  const text = await decrypt(source, stored.httpHeaders, ownerOf(stored))

  return text === undefined ? undefined : JSON.parse(text)
}

function ownerOf({ projectId }: Pick<StoredHeaders, 'projectId'>) {
  return `monitor of project ${projectId}`
}

function isSameOrigin(before: string | undefined, after: string) {
  return before !== undefined && URL.parse(before)?.origin === URL.parse(after)?.origin
}
