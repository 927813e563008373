import { type Entry, fromBufferPromise } from 'yauzl'

export interface ZipLimits {
  entries: number
  /** Bytes of one file, and of all of them, once inflated. */
  file: number
  total: number
}

/** What is wrong with a bundle, for whoever uploaded it. */
export class InvalidBundle extends Error {
  override name = 'InvalidBundle'
}

export interface Archive {
  /** The bytes of a file by its name; nothing when there is none. */
  read: (name: string) => Promise<Buffer | undefined>
}

/** Opens a zip, whose files are only ever names in it. What it says of their sizes is held against it. */
export async function openZip(bytes: Buffer, limits: ZipLimits): Promise<Archive> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true }).catch(refuse)
  const entries = new Map<string, Entry>()
  let total = 0

  if (zip.entryCount > limits.entries) throw new InvalidBundle(`The bundle holds ${zip.entryCount} files; ${limits.entries} are allowed`)
  try {
    for await (const entry of zip.eachEntry()) {
      total += entry.uncompressedSize
      if (total > limits.total) throw new InvalidBundle(`The files of the bundle have more than ${limits.total} bytes`)
      entries.set(entry.fileName, entry)
    }
  } catch (error) {
    refuse(error as Error)
  }

  return {
    read: async name => {
      const entry = entries.get(name)

      if (!entry) return undefined
      if (entry.uncompressedSize > limits.file) throw new InvalidBundle(`${name} has more than ${limits.file} bytes`)

      return zip.openReadStreamPromise(entry).then(readAll).catch(refuse)
    }
  }
}

/** The library stops a file that is larger than its entry says. */
async function readAll(stream: AsyncIterable<Buffer>) {
  const parts: Buffer[] = []

  for await (const part of stream) parts.push(part)

  return Buffer.concat(parts)
}

function refuse(error: Error): never {
  throw error instanceof InvalidBundle ? error : new InvalidBundle(`The bundle is not a sound zip file: ${error.message}`)
}
