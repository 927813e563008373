import { matchesGlob } from '#lib/glob.ts'

/** Whether a path matches a pattern, in which `*` stands for text without a slash, and a `**` between slashes for any number of directories. */
export function matchesPath(pattern: string, path: string) {
  const names = path.split('/')
  // How many names of the path the pieces so far can stand for: one pass for each piece, so no backtracking.
  let reached = new Set([0])

  for (const piece of pattern.split('/')) {
    reached = piece === '**' ? upFrom(Math.min(...reached), names.length) : oneMore(reached, piece, names)
    if (reached.size === 0) return false
  }

  return reached.has(names.length)
}

function upFrom(start: number, end: number) {
  return new Set(Array.from({ length: end - start + 1 }, (_, index) => start + index))
}

function oneMore(reached: Set<number>, piece: string, names: string[]) {
  return new Set([...reached].filter(at => at < names.length && matchesGlob(piece, names[at]!)).map(at => at + 1))
}
