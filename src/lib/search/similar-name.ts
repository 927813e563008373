const minLength = 3

/** The known name that someone probably meant: `level` for `levl`, `environment` for `env`. */
export function similarName(given: string, names: string[]) {
  const text = given.toLowerCase()

  if (text.length < minLength) return undefined

  return names.find(name => name.toLowerCase().startsWith(text)) ?? names.find(name => isTypo(text, name.toLowerCase()))
}

/** One wrong character in a short name, two in a longer one. Names of two letters are near to everything. */
function isTypo(text: string, name: string) {
  const maxDistance = name.length > 5 ? 2 : 1

  return name.length > minLength && Math.abs(name.length - text.length) <= maxDistance && editDistance(text, name) <= maxDistance
}

/** Levenshtein's distance: how many characters are inserted, deleted or replaced to turn one text into the other. */
function editDistance(one: string, other: string) {
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
