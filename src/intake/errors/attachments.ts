import { parseEventId } from '#errors/parse/envelope.ts'
import { EnvelopeLimits } from '#errors/parse/envelope-limits.ts'
import { inflate, TooLarge } from '#lib/inflate.ts'
import { IngestError } from './ingest-error.ts'

interface Upload {
  eventId: string
  /** multipart/form-data. */
  body: Buffer
  contentType?: string
  encoding: string
  maxBytes: number
}

/** An envelope of the uploaded files: the queue and the worker treat them like those that SDKs send with an event. */
export async function attachmentEnvelope({ eventId: sentId, body, contentType = '', encoding, maxBytes }: Upload) {
  const eventId = parseEventId(sentId)

  if (!eventId) throw new IngestError(400, 'The event id in the path is not a UUID.')
  const files = await readFiles(inflate(body, encoding, maxBytes), contentType)
  const limits = new EnvelopeLimits()
  const pieces = [jsonLine({ event_id: eventId })]

  if (files.length === 0) throw new IngestError(400, 'There is no file: send multipart/form-data with files.')
  for (const file of files) {
    limits.startItem('attachment')
    limits.addPayload(file.size)
    const header = { type: 'attachment', length: file.size, filename: file.name, content_type: file.type || undefined }

    pieces.push(jsonLine(header), Buffer.from(await file.arrayBuffer()), Buffer.from('\n'))
  }

  return Buffer.concat(pieces)
}

async function readFiles(body: Buffer<ArrayBufferLike>, contentType: string) {
  const [, quoted, plain] =
    /^multipart\/form-data\b.*?;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType.slice(0, 500)) ?? []
  const boundary = quoted ?? plain

  if (boundary === undefined) return []
  limitParts(body, `--${boundary}`)

  try {
    const form = await new Response(body as Buffer<ArrayBuffer>, { headers: { 'content-type': contentType } }).formData()

    return [...form.values()].filter(value => value instanceof File)
  } catch {
    throw new IngestError(400, 'The body is not valid multipart/form-data.')
  }
}

const maxParts = 100

/** Millions of empty parts would block the event loop. */
function limitParts(body: Buffer, delimiter: string) {
  let at = -1

  for (let parts = 0; parts <= maxParts + 1; parts++) {
    at = body.indexOf(delimiter, at + 1)
    if (at === -1) return
  }
  throw new TooLarge(`The body is too large: it may have ${maxParts} parts.`)
}

function jsonLine(value: object) {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}
