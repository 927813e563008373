/**
 * Whether a text matches a pattern, in which `*` stands for any text; case counts. The first place of each piece between
 * two stars is the best one, so there is no backtracking.
 */
export function matchesGlob(pattern: string, text: string) {
  const [start = '', ...pieces] = pattern.split('*')
  const end = pieces.pop()

  if (end === undefined) return text === start
  if (!text.startsWith(start) || !text.endsWith(end)) return false
  let at = start.length

  for (const piece of pieces) {
    const found = text.indexOf(piece, at)

    if (found === -1) return false
    at = found + piece.length
  }

  return at <= text.length - end.length
}
