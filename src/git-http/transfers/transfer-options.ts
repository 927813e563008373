import { join } from 'node:path'

const hooks = join(import.meta.dirname, '../hooks')

/** Mistakes of old versions of git that are common in histories and do no harm. */
const toleratedMistakes = ['badTimezone', 'missingSpaceBeforeDate', 'zeroPaddedFilemode']

/** A clone may leave out objects, and later ask for each of them. */
export const fetchOptions = options({ 'uploadpack.allowFilter': 'true', 'uploadpack.allowAnySHA1InWant': 'true' })

export function pushOptions(maxBytes: number) {
  return options({
    'core.hooksPath': hooks,
    'transfer.fsckObjects': 'true',
    ...Object.fromEntries(toleratedMistakes.map(name => [`receive.fsck.${name}`, 'ignore'])),
    'receive.maxInputSize': String(maxBytes),
    // The hook refuses it with a shorter message.
    'receive.denyDeleteCurrent': 'ignore'
  })
}

/** For protocol version 2 and 1; the header decides what git reads from its environment, so nothing else is passed on. */
export function protocolOf(header: string | string[] | undefined): Record<string, string> {
  return header === 'version=2' || header === 'version=1' ? { GIT_PROTOCOL: header } : {}
}

function options(values: Record<string, string>) {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
