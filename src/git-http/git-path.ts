const services = /^(info\/refs|info\/lfs(\/.*)?|git-upload-pack|git-receive-pack|HEAD|objects\/.+)$/

/**
 * Routes have one parameter for the path of a repository, which has several segments:
 * `/group/shop.git/info/refs` as `/-/git/group%2Fshop.git/info/refs`.
 */
export function encodeGitPath(url: string) {
  const [path] = url.split('?', 1) as [string]
  const end = endOfRepository(url, path)

  if (end <= 0 || path.startsWith('/api/') || !services.test(path.slice(end + 1))) return url
  const repository = path.slice(1, end)

  // No path of a project has the segment `-`, or an empty one: these are pages.
  return /\/-?\//.test(`/${repository}/`) ? url : `/-/git/${repository.replaceAll('/', '%2F')}${url.slice(end)}`
}

/** Where the first request of git names a repository without `.git`, its answer redirects. */
function endOfRepository(url: string, path: string) {
  const withSuffix = path.indexOf('.git/')

  if (withSuffix >= 0) return withSuffix + '.git'.length

  return url.includes('/info/refs?service=git-') ? path.lastIndexOf('/info/refs') : -1
}
