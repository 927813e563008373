import { randomBytes } from 'node:crypto'
import { access, constants, mkdir, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface StorageSettings {
  /** Directories by the name of the storage. */
  directories: Map<string, string>
  /** Storages without a weight have 100. */
  weights: Map<string, number>
  /** Installations that share a directory have folders of their own in it. */
  namespace: string
}

/** The directories where repositories are stored, by name. */
export class Storages {
  #settings: StorageSettings

  constructor(settings: StorageSettings) {
    this.#settings = settings
  }

  get names() {
    return [...this.#settings.directories.keys()]
  }

  has(name: string) {
    return this.#settings.directories.has(name)
  }

  weightOf(name: string) {
    return this.#settings.weights.get(name) ?? 100
  }

  /** The folder of this installation. */
  folder(name: string) {
    const directory = this.#settings.directories.get(name)

    if (directory === undefined) throw new UnknownStorage(name)

    return join(directory, this.#settings.namespace)
  }

  directory({ storage, path }: { storage: string; path: string }) {
    return join(this.folder(storage), path)
  }

  /** A storage for a new repository, at random by weight. Without any weight the first one. */
  pick(names = this.names) {
    const total = names.reduce((sum, name) => sum + this.weightOf(name), 0)
    let rest = Math.random() * total

    for (const name of names) {
      rest -= this.weightOf(name)
      if (rest < 0) return name
    }

    return names[0] ?? 'default'
  }

  /** Creates the folder if it is missing, and returns the space on its file system. Throws when it cannot be written. */
  async space(name: string) {
    const folder = this.folder(name)

    await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
    // On a file system that cannot be written, creating the folder fails with ENOENT, which does not say why.
    await access(dirname(folder), constants.W_OK)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
    const { bavail, blocks, bsize } = await statfs(folder)

    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  }
}

/** A random path, so that no two copies of a repository share one: `ab/cd/abcd….git`. */
export function newRepositoryPath() {
  const name = randomBytes(16).toString('hex')

  return `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}.git`
}

export class UnknownStorage extends Error {
  override name = 'UnknownStorage'
  code = 'unknown_storage'

  constructor(storage: string) {
    super(`The storage "${storage}" is not in REPOSITORY_STORAGES.`)
  }
}
