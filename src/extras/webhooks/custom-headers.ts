/** Headers of one connection (RFC 9110 §7.6.1) and of framing: with them, a request breaks or hides another one. */
const connectionHeaders =
  /^(connection|content-length|expect|host|http2-settings|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|__proto__)$/i
/** Headers that this program sets. */
const ownHeaders = /^(content-type|user-agent|idempotency-key|x-gitlab-.*|webhook-(id|timestamp|signature))$/i

export function isRefusedHeader(name: string) {
  return connectionHeaders.test(name) || ownHeaders.test(name)
}

/** Former versions stored headers that are refused now. */
export function sendableHeaders(headers: Record<string, string>) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isRefusedHeader(name)))
}
