const start = /^\/api\/v4\/projects\/[^/]+\/jobs\/(?:artifacts\/[^/]+\/raw|\d+\/artifacts)\//

/** Routes have one parameter for the path of a file in an archive, which may have several segments. */
export function encodeEntryPath(url: string) {
  const [path] = url.split('?', 1) as [string]
  const from = url.startsWith('/api/v4/projects/') ? (start.exec(path)?.[0].length ?? 0) : 0

  return from === 0 ? url : path.slice(0, from) + path.slice(from).replaceAll('/', '%2F') + url.slice(path.length)
}
