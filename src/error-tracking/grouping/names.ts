import { memoize } from '../../lib/memoize.ts'

const longest = 512

/** Reads names. Long ones are cut, for they may be pieces of far larger texts. */
export function memoizeName(read: (name: string) => string) {
  return memoize(name => read(name.length > longest ? name.slice(0, longest) : name))
}

const longestEnding = 64

/** Strips endings for as long as one matches. Each is looked for in a short tail only, so the whole is linear. */
export function stripSuffixes(name: string, ending: RegExp) {
  let end = name.length

  for (;;) {
    const found = ending.exec(name.slice(Math.max(0, end - longestEnding), end))

    if (!found) return name.slice(0, end)
    end -= found[0].length
  }
}

/** The file without its folders, on any system. */
export function basename(path: string) {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
