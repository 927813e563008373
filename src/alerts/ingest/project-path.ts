/** A project's path has as many parts as it lies in groups; where alerts are sent to, it stands before this. */
const notify = /^\/([^?]+?\/[^?]+?)((?:\/prometheus)?\/alerts\/notify(?:\.json|\/[^/?]+\/[^/?]+)?\/?(?:\?.*)?)$/

/** The same address with the project's path in one part, as routes have it. */
export function projectInOnePart(url: string) {
  const [, path, rest] = (url.includes('/alerts/notify') && notify.exec(url)) || []

  return path && !path.startsWith('api/') ? `/${path.replaceAll('/', '%2F')}${rest}` : url
}
