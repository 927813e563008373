import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, type Gunzip } from 'node:zlib'

const block = 512

export interface ArchiveEntry {
  name: string
  data: Buffer
}

/** Writes entries to a tar.gz file that only its owner can read. The file appears under its name once it is complete. */
export async function writeArchive(file: string, entries: AsyncIterable<ArchiveEntry>) {
  const partial = `${file}.partial`

  await rm(partial, { force: true })
  try {
    await pipeline(blocksOf(entries), createGzip({ level: 1 }), createWriteStream(partial, { flags: 'wx', mode: 0o600 }))
    await sync(partial)
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

export async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  const source = createReadStream(file)
  const reader = new Reader(source.pipe(createGunzip()))

  source.once('error', error => reader.source.destroy(error))
  for (;;) {
    const header = await reader.read(block)
    const name = header.subarray(0, 100).toString().split('\0', 1)[0]!

    if (name === '') return reader.finish()
    const size = Number.parseInt(header.subarray(124, 135).toString(), 8)
    const data = await reader.read(size)

    await reader.read(paddingOf(size))
    yield { name, data }
  }
}

/** Reads a stream in pieces of given sizes. */
class Reader {
  #chunks: AsyncIterator<Buffer>
  #parts: Buffer[] = []
  #length = 0
  source: Gunzip

  constructor(source: Gunzip) {
    this.source = source
    this.#chunks = source[Symbol.asyncIterator]()
  }

  async read(size: number) {
    while (this.#length < size) {
      const { value, done } = await this.#chunks.next()

      if (done) throw new Error('the archive is incomplete')
      this.#parts.push(value)
      this.#length += value.length
    }
    const bytes = Buffer.concat(this.#parts)

    this.#parts = [bytes.subarray(size)]
    this.#length -= size

    return bytes.subarray(0, size)
  }

  /** The checksum of gzip is at the end. */
  async finish() {
    while (!(await this.#chunks.next()).done);
  }
}

async function* blocksOf(entries: AsyncIterable<ArchiveEntry>) {
  for await (const { name, data } of entries) {
    yield headerOf(name, data.length)
    yield data
    yield Buffer.alloc(paddingOf(data.length))
  }
  yield Buffer.alloc(2 * block)
}

/** POSIX.1-1988 ustar: a regular file. */
function headerOf(name: string, size: number) {
  const header = Buffer.alloc(block)

  if (Buffer.byteLength(name) > 100) throw new Error(`the name is too long for a tar archive: ${name}`)
  header.write(name)
  header.write('0000600\0', 100)
  header.write('0000000\0'.repeat(2), 108)
  header.write(`${octal(size, 11)}\0${octal(Math.floor(Date.now() / 1000), 11)}\0`, 124)
  // The checksum is calculated with spaces in its place.
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(`${octal(sum(header), 6)}\0 `, 148)

  return header
}

function octal(value: number, digits: number) {
  return value.toString(8).padStart(digits, '0')
}

function sum(bytes: Buffer) {
  return bytes.reduce((total, byte) => total + byte, 0)
}

function paddingOf(size: number) {
  return (block - (size % block)) % block
}

async function sync(file: string) {
  const handle = await open(file)

  await handle.sync()
  await handle.close()
}
