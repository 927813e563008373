/** Whether a text is an address that a browser opens as a page. */
export function isWebUrl(text: string | undefined) {
  const { protocol } = (/^https?:\/\//i.test(text ?? '') && URL.parse(text!)) || {}

  return protocol === 'http:' || protocol === 'https:'
}
