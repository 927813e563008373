import { memoize } from '#lib/memoize.ts'

const maxNameLength = 512
const maxSuffixLength = 64

/** Memoizes a function of names. Longer names are cut, because they may be slices that hold a far larger text in memory. */
export function memoizeName(read: (name: string) => string) {
  return memoize(name => read(name.length > maxNameLength ? name.slice(0, maxNameLength) : name))
}

/** Strips suffixes while one matches. Only a short tail is matched, so that the time is linear. */
export function stripSuffixes(name: string, suffix: RegExp) {
  let end = name.length

  for (;;) {
    const match = suffix.exec(name.slice(Math.max(0, end - maxSuffixLength), end))

    if (!match) return name.slice(0, end)
    end -= match[0].length
  }
}

/** Accepts both kinds of slashes. */
export function basename(path: string) {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
