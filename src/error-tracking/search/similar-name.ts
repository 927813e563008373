import { editDistance } from '../../lib/edit-distance.ts'

const minLength = 3

/** The known name that someone probably meant: `level` for `levl`, `environment` for `env`. */
export function similarName(given: string, names: string[]) {
  const text = given.toLowerCase()

  if (text.length < minLength) return undefined

  return names.find(name => name.toLowerCase().startsWith(text)) ?? names.find(name => isTypo(text, name.toLowerCase()))
}

/** One wrong character in a short name, two in a longer one. Names of two letters are near to everything. */
function isTypo(text: string, name: string) {
  const most = name.length > 5 ? 2 : 1

  return name.length > minLength && Math.abs(name.length - text.length) <= most && editDistance(text, name) <= most
}
