import { isConnectionHeader } from '#platform/network/connection-headers.ts'

/** Headers that this program sets. */
const ownHeaders = /^(content-type|user-agent|idempotency-key|x-gitlab-.*|webhook-(id|timestamp|signature))$/i

export function isRefusedHeader(name: string) {
  return isConnectionHeader(name) || ownHeaders.test(name)
}

/** Former versions stored headers that are refused now. */
export function sendableHeaders(headers: Record<string, string>) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isRefusedHeader(name)))
}
