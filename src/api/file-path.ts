const starts = [
  /^\/api\/v4\/projects\/[^/]+\/jobs\/(?:artifacts\/[^/]+\/raw|\d+\/artifacts)\//,
  /^\/api\/v4\/projects\/[^/]+\/packages\/generic\/[^/]+\/[^/]+\//
]

/** Routes end with one parameter for the path of a file in an archive or a package, which may have several segments. */
export function encodeFilePath(url: string) {
  if (!url.startsWith('/api/v4/projects/')) return url
  const [path] = url.split('?', 1) as [string]
  const from = starts.map(start => start.exec(path)?.[0].length ?? 0).find(length => length > 0)

  return from === undefined ? url : path.slice(0, from) + path.slice(from).replaceAll('/', '%2F') + url.slice(path.length)
}
