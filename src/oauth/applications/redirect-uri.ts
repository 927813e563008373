/** Schemes of code or content instead of a place: a redirect to one runs in the browser. */
const forbiddenSchemes = /^(javascript|data|vbscript|blob|file|about):$/
const maxLength = 2000
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** Why a redirection URI cannot be registered; undefined when it can. `http` is for loopback addresses and for development. */
export function redirectUriProblem(uri: string, { isSecure }: { isSecure: boolean }) {
  const url = URL.parse(uri)

  if (uri.length > maxLength) return `is too long (maximum is ${maxLength} characters).`
  // RFC 3986 §2; a header holds no other characters.
  if (/[^!-~]/.test(uri)) return 'must be printable ASCII: write the host in Punycode (xn--), and percent-encode other characters.'
  if (!hasValidPort(uri)) return 'must have a port from 1 to 65535.'
  if (/^[^:/]+:\d/.test(uri)) return 'must start with its scheme, for example https://.'
  if (/^https?:(?!\/\/[^/?#])/i.test(uri)) return 'must have a host after https:// or http://.'
  if (!url || uri.includes('\\')) return 'must be an absolute URI.'
  // RFC 6749 §3.1.2.
  if (uri.includes('#')) return 'cannot contain a fragment.'
  if (forbiddenSchemes.test(url.protocol) || url.username || url.password) return 'is forbidden by the server.'
  if (url.protocol === 'http:' && isSecure && !loopbackHosts.includes(url.hostname)) return 'must be an HTTPS/SSL URI.'
  // RFC 8252 §7.1: a private-use scheme is a domain name in reverse.
  if (!/^https?:$/.test(url.protocol) && !url.protocol.includes('.')) return 'is forbidden by the server.'

  return undefined
}

function hasValidPort(uri: string) {
  const [, , authority = ''] = uri.split(/[/?#]/)
  const [, port] = /:(\d+)$/.exec(authority) ?? []

  return port === undefined || (Number(port) >= 1 && Number(port) <= 65_535)
}
