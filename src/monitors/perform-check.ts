import { counted } from '#lib/counted.ts'
import { fetchOutbound, Unreachable } from '#platform/network/outbound.ts'
import { resolveHost } from '#platform/network/resolve-host.ts'
import { isExpectedStatus } from './expected-status.ts'
import type { HttpCheck } from './http-check.ts'

type Answer = Awaited<ReturnType<typeof fetchOutbound>>

interface Sent {
  headers: Record<string, string>
  allowsPrivate: boolean
}

const maxBytes = 65_536
const maxRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])
const dayMs = 86_400_000

/** Sends the request. Returns why the answer is not good; undefined when it is. Never throws. */
export async function performCheck(check: HttpCheck, sent: Sent, at: Date) {
  try {
    const { answer, expiresAt } = await follow(check, sent)

    return problemOf(check, answer) ?? problemOfCertificate(check, expiresAt, at)
  } catch (error) {
    return reasonOf(check, error)
  }
}

/** Follows redirects. Each hop is checked against private networks; headers are sent to the monitor's own origin only. */
async function follow(check: HttpCheck, { headers, allowsPrivate }: Sent) {
  const endsAt = performance.now() + check.timeoutSeconds * 1000
  const { origin } = new URL(check.url)
  let url = new URL(check.url)
  let { method } = check
  let expiresAt: Date | undefined

  for (let hop = 0; hop <= maxRedirects; hop++) {
    const answer = await fetchOutbound(url, {
      method,
      headers: { 'user-agent': 'Tocsin', ...(url.origin === origin && headers) },
      allowsPrivate,
      timeoutMs: Math.max(1, Math.ceil(endsAt - performance.now())),
      maxBytes,
      isCut: true,
      resolve: resolveHost
    })
    const { status, headers: answered, certificateExpiresAt } = answer
    const next = check.followsRedirects && redirects.has(status) && answered.location ? URL.parse(answered.location, url.href) : null

    if (!expiresAt || (certificateExpiresAt && certificateExpiresAt < expiresAt)) expiresAt = certificateExpiresAt
    if (!next) return { answer, expiresAt }
    if (!/^https?:$/.test(next.protocol)) throw new Unreachable('is no web address', 'REDIRECT')
    if (method === 'POST' && status < 307) method = 'GET'
    url = next
  }
  throw new Unreachable('redirects again and again', 'REDIRECTS')
}

function problemOf({ method, expectedStatus, bodyText }: HttpCheck, { status, text }: Answer) {
  if (!isExpectedStatus(expectedStatus, status)) return `${status} in place of ${expectedStatus}`

  return method === 'HEAD' || text.includes(bodyText) ? undefined : `body lacks “${bodyText}”`
}

function problemOfCertificate({ certificateDays }: HttpCheck, expiresAt: Date | undefined, at: Date) {
  if (!expiresAt) return undefined
  const days = Math.floor((expiresAt.getTime() - at.getTime()) / dayMs)

  return days < certificateDays ? `certificate expires in ${days < 1 ? 'less than a day' : counted(days, 'day')}` : undefined
}

const noDns = 'DNS does not answer for the host'
const untrusted = 'certificate is not trusted'
const reasons: Record<string, string> = {
  PRIVATE: 'address in a private network',
  REDIRECT: 'redirect to another protocol',
  REDIRECTS: `more than ${maxRedirects} redirects`,
  ENOTFOUND: 'host not found',
  ESERVFAIL: noDns,
  ETIMEOUT: noDns,
  EAI_AGAIN: noDns,
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  CERT_HAS_EXPIRED: 'certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted
}

function reasonOf({ timeoutSeconds }: HttpCheck, error: unknown) {
  const code = error instanceof Unreachable ? error.code : undefined

  return code === 'TIMEOUT' ? `no answer within ${timeoutSeconds} s` : ((code && reasons[code]) ?? `no connection (${code ?? 'unknown'})`)
}
