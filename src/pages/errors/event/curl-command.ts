import { type Json, objectOrEmpty, textOrUndefined } from '#lib/json.ts'

/** Set by the client itself. */
const ownHeaders = /^(host|content-length|connection|accept-encoding)$/i

/** A command that sends the request again. Values are quoted for the shell. */
export function curlCommand(request: Json) {
  const { url, method, data, headers, cookies } = request
  const address = textOrUndefined(url)

  if (!address) return undefined
  const body = typeof data === 'object' && data !== null ? JSON.stringify(data) : textOrUndefined(data)
  const sent = Object.entries(objectOrEmpty(headers)).filter(([name]) => !ownHeaders.test(name))
  const pairs = Object.entries(objectOrEmpty(cookies)).map(([name, value]) => `${name}=${value}`)
  const hasCookies = sent.some(([name]) => name.toLowerCase() === 'cookie')

  return [
    'curl',
    method && method !== 'GET' && `--request ${quote(String(method))}`,
    ...sent.map(([name, value]) => `--header ${quote(`${name}: ${value}`)}`),
    pairs.length > 0 && !hasCookies && `--header ${quote(`Cookie: ${pairs.join('; ')}`)}`,
    body && `--data-raw ${quote(body)}`,
    `--url ${quote(withQuery(address, textOrUndefined(request.query_string)))}`
  ]
    .filter(Boolean)
    .join(' \\\n  ')
}

export function withQuery(url: string, query: string | undefined) {
  return query && !url.includes('?') ? `${url}?${query}` : url
}

/** Without control characters: pasted into a terminal, they would be keys. */
function quote(text: string) {
  return `'${text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '').replaceAll("'", "'\\''")}'`
}
