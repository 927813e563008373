import { type Entry, fromBufferPromise } from 'yauzl'

export interface ZipLimits {
  entries: number
  /** Uncompressed bytes of one file, and of all files. */
  file: number
  total: number
}

/** Its message is shown to the uploader. */
export class InvalidBundle extends Error {
  override name = 'InvalidBundle'
}

export interface Archive {
  /** Undefined if there is no such file. */
  read: (name: string) => Promise<Buffer | undefined>
}

/** Opens a zip in memory. Nothing is written to disk, so file names need no checks. */
export async function openZip(bytes: Buffer, limits: ZipLimits): Promise<Archive> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true }).catch(rethrow)
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
    rethrow(error as Error)
  }

  return {
    read: async name => {
      const entry = entries.get(name)

      if (!entry) return undefined
      if (entry.uncompressedSize > limits.file) throw new InvalidBundle(`${name} has more than ${limits.file} bytes`)

      return zip.openReadStreamPromise(entry).then(readAll).catch(rethrow)
    }
  }
}

/** yauzl fails for a file larger than its entry declares. */
async function readAll(stream: AsyncIterable<Buffer>) {
  const parts: Buffer[] = []

  for await (const part of stream) parts.push(part)

  return Buffer.concat(parts)
}

function rethrow(error: Error): never {
  throw error instanceof InvalidBundle ? error : new InvalidBundle(`The bundle is not a valid zip file: ${error.message}`)
}
