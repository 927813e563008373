/** The end of an intake URL, after the project's path. */
const notifyUrl = /(?:\/prometheus)?\/alerts\/notify(?:\.json|\/[^/]+\/[^/]+)?\/?$/

/** Routes have one parameter for the project's path, which has several segments: `/group/shop/alerts/notify` as `/group%2Fshop/alerts/notify`. */
export function encodeProjectPath(url: string) {
  if (!url.includes('/alerts/notify') || url.startsWith('/api/')) return url
  const [path] = url.split('?', 1) as [string]
  // A project's path has at least two segments.
  const second = path.indexOf('/', 2) + 1
  const end = second + path.slice(second).search(notifyUrl)

  return end > second ? `/${path.slice(1, end).replaceAll('/', '%2F')}${url.slice(end)}` : url
}
