/** Whether a text matches a pattern, in which `*` stands for any text; case counts. */
export function matchesGlob(pattern: string, text: string) {
  return compileGlob(pattern)(text)
}

/**
 * Tells whether texts match a pattern, in which `*` stands for any text and, with `hasSingles`, `?` for one character. The first place
 * of each piece between two stars is the best one, so there is no backtracking.
 */
export function compileGlob(pattern: string, { hasSingles = false } = {}) {
  const [start = '', ...pieces] = pattern.split('*').map(text => readPiece(text, hasSingles))
  const end = pieces.pop()

  return (text: string) => {
    if (end === undefined) return text.length === lengthOf(start) && isAt(start, text, 0)
    if (!isAt(start, text, 0) || !isAt(end, text, text.length - lengthOf(end))) return false
    let at = lengthOf(start)

    for (const piece of pieces) {
      const found = findPiece(piece, text, at)

      if (found === -1) return false
      at = found + lengthOf(piece)
    }

    return at <= text.length - lengthOf(end)
  }
}

/** A text, or the texts between single characters. */
type Piece = string | string[]

function readPiece(text: string, hasSingles: boolean): Piece {
  return hasSingles && text.includes('?') ? text.split('?') : text
}

function lengthOf(piece: Piece) {
  return typeof piece === 'string' ? piece.length : piece.reduce((sum, part) => sum + part.length + 1, -1)
}

function isAt(piece: Piece, text: string, at: number) {
  if (at < 0 || at + lengthOf(piece) > text.length) return false
  if (typeof piece === 'string') return text.startsWith(piece, at)
  let next = at

  for (const part of piece) {
    if (!text.startsWith(part, next)) return false
    next += part.length + 1
  }

  return true
}

function findPiece(piece: Piece, text: string, from: number) {
  if (typeof piece === 'string') return text.indexOf(piece, from)
  for (let at = from; at + lengthOf(piece) <= text.length; at++) if (isAt(piece, text, at)) return at

  return -1
}
