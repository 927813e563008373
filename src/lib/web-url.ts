/** Whether a text is an address that a browser opens as a page. */
export function isWebUrl(text: string | undefined) {
  const { protocol } = (/^https?:\/\//i.test(text ?? '') && URL.parse(text!)) || {}

  return protocol === 'http:' || protocol === 'https:'
}

/** Whether a text is the address of a site: of the web, without a user name, query or fragment. */
export function isPublicUrl(text: string) {
  const url = isWebUrl(text) && URL.parse(text)

  return Boolean(url) && !/[?#]/.test(text) && !(url as URL).username && !(url as URL).password
}

export function withoutSlash(url: string) {
  return url.replace(/(?<!\/)\/+$/, '')
}
