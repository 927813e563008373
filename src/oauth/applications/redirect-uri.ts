/** Schemes of code or content instead of a place: a redirect to one runs in the browser. */
const forbiddenSchemes = /^(javascript|data|vbscript|blob|file|about):$/
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** Why a redirection URI cannot be registered; undefined when it can. `http` is for loopback addresses and for development. */
export function redirectUriProblem(uri: string, { isSecure }: { isSecure: boolean }) {
  const url = URL.parse(uri)

  if (!url || /[\s\\]/.test(uri)) return 'must be an absolute URI.'
  // RFC 6749 §3.1.2.
  if (uri.includes('#')) return 'cannot contain a fragment.'
  if (forbiddenSchemes.test(url.protocol) || url.username || url.password) return 'is forbidden by the server.'
  if (url.protocol === 'http:' && isSecure && !loopbackHosts.includes(url.hostname)) return 'must be an HTTPS/SSL URI.'
  // RFC 8252 §7.1: a private-use scheme is a domain name in reverse.
  if (!/^https?:$/.test(url.protocol) && !url.protocol.includes('.')) return 'is forbidden by the server.'

  return undefined
}
