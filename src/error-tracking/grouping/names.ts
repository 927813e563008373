import { remember } from '../../lib/memoize.ts'

const longest = 512

/** Reads names. Long ones are cut, for they may be pieces of far larger texts. */
export function remembered(read: (name: string) => string) {
  return remember(name => read(name.length > longest ? name.slice(0, longest) : name))
}

/** The file without its folders, on any system. */
export function basename(path: string) {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
