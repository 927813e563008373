import { isEmpty, type Json, objectOrEmpty, objectOrUndefined, textOrUndefined } from '#lib/json.ts'
import { html } from '#pages/layout/html.ts'
import { folded, jsonValue, pairs, section } from './section.ts'

export function requestSection(event: Json) {
  const request = objectOrUndefined(event.request)

  if (!request) return undefined
  const { method, url, query_string: query, data, headers, cookies, env } = request
  const address = textOrUndefined(url)
  const curl = curlCommand(request)

  return section(
    { id: 'request', title: 'Request' },
    html`
    ${address && html`<p class="address"><strong>${textOrUndefined(method) ?? 'GET'}</strong> ${withQuery(address, textOrUndefined(query))}</p>`}
    ${data !== undefined && html`<h3>Body</h3>${objectOrUndefined(data) ? pairs(objectOrUndefined(data)) : jsonValue(data)}`}
    ${part('Headers', headers)}
    ${part('Cookies', cookies)}
    ${part('Environment', env)}
    ${curl && folded('As curl', html`<pre tabindex="0" id="curl">${curl}</pre><button type="button" class="plain small" data-copy="#curl" data-scripted>Copy</button>`)}`
  )
}

function part(title: string, value: unknown) {
  const object = objectOrUndefined(value)
  const content = object ? !isEmpty(object) && pairs(object) : textOrUndefined(value) && jsonValue(value)

  return content && folded(title, content)
}

/** Set by the client itself. */
const ownHeaders = /^(host|content-length|connection|accept-encoding)$/i

/** A command that sends the request again. Values are quoted for the shell. */
function curlCommand(request: Json) {
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

function withQuery(url: string, query: string | undefined) {
  return query && !url.includes('?') ? `${url}?${query}` : url
}

/** Without control characters: pasted into a terminal, they would be keys. */
function quote(text: string) {
  return `'${text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '').replaceAll("'", "'\\''")}'`
}
