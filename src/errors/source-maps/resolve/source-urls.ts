import { posix } from 'node:path'
import { memoizeName } from '#errors/grouping/names.ts'

const scheme = /^[a-z][a-z\d+.-]+:\/\//i
const drive = /^[a-z]:\//i

/** A script's URL or path without query, backslashes and `file://`. */
export const normalizeUrl = memoizeName(url =>
  url
    .replace(/[?#].*$/s, '')
    .replaceAll('\\', '/')
    .replace(/^file:\/\//i, '')
    .replace(/^\/(?=[a-z]:\/)/i, '')
)

/** The URLs that a script may be uploaded under: its own, and with `~` for any origin. */
export function uploadedUrls(url: string) {
  const path = scheme.test(url) ? url.replace(/^[^/]*\/\/[^/]*/, '') : url

  return [url, path.startsWith('/') ? `~${path}` : `~/${path}`]
}

/** Resolves a source against the URL of its script. */
export function sourceUrl(source: string, script: string) {
  const path = source.replaceAll('\\', '/')

  if (scheme.test(path) || drive.test(path) || path.startsWith('/')) return path
  if (scheme.test(script)) return URL.parse(path, script)?.href ?? path

  return posix.join(posix.dirname(script), path)
}

/** A source without the prefix that bundlers add. */
export const sourceFilename = memoizeName(source => {
  const path = source.replaceAll('\\', '/').replace(/[?#].*$/s, '')

  return path.replace(/^[a-z][a-z\d+.-]+:\/\/[^/]*\//i, '').replace(/^(?:\.{1,2}\/)+/, '') || path
})

const thirdParty = /(?:^|\/)(?:node_modules|~|bower_components)\/|(?:^|\/)webpack\/(?:bootstrap|runtime|universalModuleDefinition)/

export function isInApp(source: string) {
  return !thirdParty.test(source.replaceAll('\\', '/'))
}
