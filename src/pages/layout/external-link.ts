import { isWebUrl } from '#lib/web-url.ts'
import { html } from './html.ts'

/** Senders choose the URL: only web addresses become links, no `javascript:`. The other site does not learn who follows it. */
export function externalLink(url: string, text = url) {
  return isWebUrl(url) ? html`<a href="${url}" rel="noreferrer noopener nofollow">${text}</a>` : html`${text}`
}

const address = /(https?:\/\/[^\s<>"']*[^\s<>"'.,:;!?)\]}])/gi

/** A text whose web addresses are links. */
export function withLinks(text: string) {
  return text.split(address).map((part, n) => (n % 2 === 1 ? externalLink(part) : part))
}
