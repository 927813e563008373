import type { Readable } from 'node:stream'
import { type Entry, openPromise } from 'yauzl'
import { BadRequest, NotFound } from '../../http/problems/problems.ts'

const maxEntries = 100_000

/** One file of a zip on the disk. Only its directory and that file are read. */
export async function readEntry(path: string, name: string): Promise<{ size: number; content: Readable }> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(refuse)

  try {
    const entry = await findEntry(zip, name)

    const content = await zip.openReadStreamPromise(entry)

    content.once('close', () => zip.close())

    return { size: entry.uncompressedSize, content }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function findEntry(zip: Awaited<ReturnType<typeof openPromise>>, name: string): Promise<Entry> {
  if (zip.entryCount > maxEntries) throw new BadRequest('the archive has too many files')
  try {
    for await (const entry of zip.eachEntry()) if (entry.fileName === name && !name.endsWith('/')) return entry
  } catch {
    refuse()
  }
  throw new NotFound()
}

function refuse(): never {
  throw new BadRequest('the archive is not a zip file')
}
