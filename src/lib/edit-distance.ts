/** Levenshtein's distance: how many characters are inserted, deleted or replaced to turn one text into the other. */
export function editDistance(one: string, other: string) {
  let previous = Array.from({ length: other.length + 1 }, (_, n) => n)

  for (let row = 1; row <= one.length; row++) {
    const current = [row]

    for (let column = 1; column <= other.length; column++) {
      const replaced = previous[column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1)

      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1))
    }
    previous = current
  }

  return previous[other.length]!
}
