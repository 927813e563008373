import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const orphanAgeMs = 3600_000

type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>

export interface StoredFile {
  name: string
  size: number
  sha256: Buffer
}

/** The source has more bytes than allowed. */
export class FileTooLarge extends Error {
  override name = 'FileTooLarge'
}

/**
 * Uploaded files of one kind. Namespaces keep installations that share a `DATA_DIR` apart. On several machines all web and
 * maintenance processes need the same `DATA_DIR`, such as a mounted volume.
 */
export class FileStore {
  #folder: string

  constructor({ dataDir, namespace }: { dataDir: string; namespace: string }, kind: string) {
    this.#folder = join(dataDir, 'uploads', namespace, kind)
  }

  /** Returns the name of the file: a random one in one of 256 folders. */
  async write(data: Buffer, extension = '') {
    return (await this.writeStream([data], { extension })).name
  }

  /** Atomic: renames the file once it is on the disk. Nothing is left when the source fails, or has more than `maxBytes`. */
  async writeStream(source: Chunks, { extension = '', maxBytes = Number.POSITIVE_INFINITY } = {}): Promise<StoredFile> {
    const random = randomBytes(16).toString('hex')
    const name = `${random.slice(0, 2)}/${random}${extension}`
    const path = join(this.#folder, name)
    const partial = `${path}.part`

    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    try {
      const written = await writeFile(partial, source, maxBytes)

      await rename(partial, path)

      return { name, ...written }
    } catch (error) {
      await rm(partial, { force: true })
      throw error
    }
  }

  /** Undefined when there is no such file. */
  read(name: string) {
    return readFile(join(this.#folder, name)).catch(ignoreMissing)
  }

  /** The path of a file, for readers that need only a part of it. */
  pathOf(name: string) {
    return join(this.#folder, name)
  }

  remove(name: string) {
    return rm(join(this.#folder, name), { force: true })
  }

  /** Deletes files that no row names: it was deleted, or a process ended before it stored the row, which is within an hour. */
  async deleteOrphans(at: Date, findStored: (names: string[]) => Promise<string[]>) {
    for await (const names of this.#filesBefore(new Date(at.getTime() - orphanAgeMs))) {
      const stored = new Set(await findStored(names))

      for (const name of names) if (!stored.has(name)) await this.remove(name)
    }
  }

  /** The names of files last modified before, folder by folder. */
  async *#filesBefore(before: Date) {
    for await (const folder of entriesOf(this.#folder)) {
      const names: string[] = []

      for await (const { name } of entriesOf(join(this.#folder, folder.name))) {
        const { mtime = before } = (await stat(join(this.#folder, folder.name, name)).catch(ignoreMissing)) ?? {}

        if (mtime < before) names.push(`${folder.name}/${name}`)
      }
      if (names.length > 0) yield names
    }
  }
}

async function writeFile(path: string, source: Chunks, maxBytes: number) {
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let size = 0

  try {
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxBytes) throw new FileTooLarge()
      hash.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }

  return { size, sha256: hash.digest() }
}

async function* entriesOf(folder: string) {
  const entries = await opendir(folder).catch(ignoreMissing)

  if (entries) yield* entries
}

function ignoreMissing(error: NodeJS.ErrnoException) {
  if (error.code === 'ENOENT') return undefined
  throw error
}
