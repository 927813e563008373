import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { InvalidInput } from '#lib/refusals.ts'

/** A power of two: clients require it. */
export const chunkBytes = 2 << 20

export interface Chunk {
  checksum: string
  content: Buffer
}

interface UploadedFile {
  field: string
  filename: string
  data: Buffer
}

/** Reads an uploaded chunk. Its file name is the SHA-1 of its uncompressed content. */
export async function readChunk({ field, filename, data }: UploadedFile): Promise<Chunk> {
  if (field !== 'file' && field !== 'file_gzip') throw new InvalidInput(`A part must be named file or file_gzip, not ${field}`)
  const content = field === 'file' ? data : await inflate(data)
  const checksum = filename.toLowerCase()

  if (content.length > chunkBytes) throw new InvalidInput(`A chunk may have ${chunkBytes} bytes at most`)
  if (hash('sha1', content) !== checksum) throw new InvalidInput("A chunk's file name must be the SHA-1 of its content")

  return { checksum, content }
}

async function inflate(data: Buffer) {
  try {
    return await promisify(gunzip)(data, { maxOutputLength: chunkBytes })
  } catch {
    throw new InvalidInput(`A part named file_gzip must be gzip of ${chunkBytes} bytes at most`)
  }
}
