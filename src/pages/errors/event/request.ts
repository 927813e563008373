import { isEmpty, type Json, objectOrUndefined, textOrUndefined } from '#lib/json.ts'
import { html } from '#pages/layout/html.ts'
import { curlCommand, withQuery } from './curl-command.ts'
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
