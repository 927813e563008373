/** Ends the address that a project's alerts are sent to. */
const notify = /(?:\/prometheus)?\/alerts\/notify(?:\.json|\/[^/]+\/[^/]+)?\/?$/

/** The same address with the project's path in one part, as routes have it. */
export function encodeProjectPath(url: string) {
  if (!url.includes('/alerts/notify') || url.startsWith('/api/')) return url
  const [path] = url.split('?', 1) as [string]
  // A project's path has two parts or more.
  const second = path.indexOf('/', 2) + 1
  const end = second + path.slice(second).search(notify)

  return end > second ? `/${path.slice(1, end).replaceAll('/', '%2F')}${url.slice(end)}` : url
}
