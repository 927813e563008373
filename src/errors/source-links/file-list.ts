import { dependencyDepth, type FramePath } from './frame-paths.ts'

const [slash, end] = [0x2f, 0]
/** More files of one name than this are not compared. */
const maxAlike = 10_000

/**
 * The paths of all files at a commit, as git prints them. They are searched as bytes: parsing a hundred thousand of them would
 * hold up other requests.
 */
export class FileList {
  #paths: Buffer

  /** What `git ls-tree -r -z --name-only` prints. */
  constructor(output: Buffer) {
    this.#paths = Buffer.concat([Buffer.of(end), output])
  }

  get bytes() {
    return this.#paths.length
  }

  /** The file that a frame names; undefined when there is none, or several could be meant. */
  find(paths: FramePath[]) {
    for (const path of paths) {
      const found = closestTo(path, this.#named(path.segments.at(-1)!))

      if (found !== undefined) return found
    }

    return undefined
  }

  /** All paths that end with a name: some 10 ms for 8 MiB of them. */
  #named(name: string) {
    const wanted = Buffer.from(`${name}\0`)
    const paths: string[][] = []

    for (let at = this.#paths.indexOf(wanted); at !== -1; at = this.#paths.indexOf(wanted, at + 1)) {
      if (this.#paths[at - 1] !== slash && this.#paths[at - 1] !== end) continue
      if (paths.length === maxAlike) return []
      const start = this.#paths.lastIndexOf(end, at - 1) + 1

      paths.push(this.#paths.toString('utf8', start, at + wanted.length - 1).split('/'))
    }

    return paths
  }
}

/** The file whose path has the longest end in common. Of several, the one whose whole path that is. */
function closestTo(path: FramePath, files: string[][]) {
  const shared = files.map(file => sharedEnd(path.segments, file))
  const longest = Math.max(0, ...shared)
  const closest = files.filter((_, n) => shared[n] === longest)
  const found = closest.length === 1 ? closest[0] : closest.find(file => file.length === longest)

  return found && isSame(path, found, longest) ? found.join('/') : undefined
}

/** A name alone says too little, unless it is all that the frame says. Files of packages are found only in their packages. */
function isSame(path: FramePath, file: string[], shared: number) {
  const depth = dependencyDepth(path)

  if (depth > 0) return shared > path.segments.length - depth

  return shared >= path.own.length || (shared > 1 && (path.isLoose || shared === file.length))
}

function sharedEnd(one: string[], other: string[]) {
  let length = 0

  while (length < Math.min(one.length, other.length) && one.at(-1 - length) === other.at(-1 - length)) length++

  return length
}
