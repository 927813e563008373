import type { Readable } from 'node:stream'
import { type Entry, getFileNameLowLevel, openPromise, validateFileName } from 'yauzl'
import { NotFound, Rejected } from '#lib/refusals.ts'

type Zip = Awaited<ReturnType<typeof open>>

const maxEntries = 100_000
/** Entries checked in a new archive, which may have very many files: damage shows in the first ones. */
const maxCheckedEntries = 1000

/** One file of a zip on the disk. Only its directory and that file are read. */
export async function readEntry(path: string, name: string): Promise<{ size: number; content: Readable }> {
  const zip = await open(path)

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

/** Refuses a file that is no zip. Only its directory is read. */
export async function checkZip(path: string) {
  const zip = await open(path)
  let count = 0

  try {
    for await (const _entry of zip.eachEntry()) if (++count === maxCheckedEntries) return
  } catch {
    refuse()
  } finally {
    zip.close()
  }
}

/** Names are read here: of a name such as `../evil`, yauzl would make an error of the whole archive. */
function open(path: string) {
  return openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: false }).catch(refuse)
}

async function findEntry(zip: Zip, name: string): Promise<Entry> {
  if (zip.entryCount > maxEntries) throw new Rejected('the archive has too many files')
  if (name.endsWith('/') || validateFileName(name) !== null) throw new NotFound()
  try {
    for await (const entry of zip.eachEntry()) if (nameOf(entry) === name) return entry
  } catch {
    refuse()
  }
  throw new NotFound()
}

function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry) {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
}

function refuse(): never {
  throw new Rejected('the archive is not a zip file')
}
