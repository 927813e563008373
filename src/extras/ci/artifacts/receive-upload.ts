import type { FastifyRequest } from 'fastify'
import { readParts } from '#api/parameters/multipart.ts'
import { BadParameter, BadRequest } from '#api/problems/problems.ts'
import type { StoredFile } from '#platform/file-store.ts'

interface FileAccess {
  maxBytes: number
  store(content: AsyncIterable<Buffer>): Promise<StoredFile>
  remove(name: string): Promise<void>
}

export interface ReceivedUpload {
  filename: string
  file: StoredFile
  /** The text fields of the form, before and after the file. */
  fields: Record<string, unknown>
}

/** Stores the file of a multipart request while it arrives. Nothing is left when the request is refused. */
export async function receiveUpload(request: FastifyRequest, access: FileAccess, use: (upload: ReceivedUpload) => Promise<void>) {
  if (!request.isMultipart()) throw new BadRequest('send the file as multipart/form-data')
  const fields = new Map<string, unknown>()
  let received: Pick<ReceivedUpload, 'filename' | 'file'> | undefined

  try {
    for await (const part of readParts(request, { fileSize: access.maxBytes + 1 })) {
      if (part.type === 'field') fields.set(part.name, part.value)
      else if (received) throw new BadParameter('file is given twice')
      else received = { filename: part.filename.slice(-255), file: await access.store(part.content) }
    }
    if (!received) throw new BadParameter('file is missing: send it as multipart/form-data')
    await use({ ...received, fields: Object.fromEntries(fields) })
  } catch (error) {
    if (received) await access.remove(received.file.name)
    throw error
  }
}
