import { posix } from 'node:path'
import { memoizeName } from '../../grouping/names.ts'

const scheme = /^[a-z][a-z\d+.-]+:\/\//i
const drive = /^[a-z]:\//i

/** An address of a script, whatever its engine and system make of it: no query, no backslashes, no `file://`. */
export const plainAddress = memoizeName(given =>
  given
    .replace(/[?#].*$/s, '')
    .replaceAll('\\', '/')
    .replace(/^file:\/\//i, '')
    .replace(/^\/(?=[a-z]:\/)/i, '')
)

/** Under which addresses a script may have been uploaded: its own, and with `~` for any origin. */
export function uploadAddresses(address: string) {
  const path = scheme.test(address) ? address.replace(/^[^/]*\/\/[^/]*/, '') : address

  return [address, path.startsWith('/') ? `~${path}` : `~/${path}`]
}

/** Where a source lies, as seen from its script. */
export function sourceAddress(source: string, script: string) {
  const plain = source.replaceAll('\\', '/')

  if (scheme.test(plain) || drive.test(plain) || plain.startsWith('/')) return plain
  if (scheme.test(script)) return URL.parse(plain, script)?.href ?? plain

  return posix.join(posix.dirname(script), plain)
}

/** A source as people know it: without what bundlers put before it. */
export const sourceName = memoizeName(source => {
  const plain = source.replaceAll('\\', '/').replace(/[?#].*$/s, '')

  return plain.replace(/^[a-z][a-z\d+.-]+:\/\/[^/]*\//i, '').replace(/^(?:\.{1,2}\/)+/, '') || plain
})

const foreign = /(?:^|\/)(?:node_modules|~|bower_components)\/|(?:^|\/)webpack\/(?:bootstrap|runtime|universalModuleDefinition)/

export function isOwnCode(source: string) {
  return !foreign.test(source.replaceAll('\\', '/'))
}
