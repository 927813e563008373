import multipart, { type Multipart } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { InvalidInput, Refusal, TooLarge } from '#lib/refusals.ts'
import { parseNested } from './nested-names.ts'
import { validateText } from './text.ts'

/** An uploaded file, in memory. */
export interface Upload {
  field: string
  filename: string
  type: string
  data: Buffer
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Files of a multipart request, on routes with `config.files`. */
    uploads: Upload[]
  }
  interface FastifyContextConfig {
    /** Limits on uploaded files, and the documentation of the one that a field has. Without it, files are discarded. */
    files?: { max: number; bytes: number; field?: string; isRequired?: true; description?: string }
  }
}

const maxFields = 1000
const maxNameLength = 1000

/** Registers the multipart parser; `readMultipart` runs it. */
export async function registerMultipart(app: FastifyInstance) {
  await app.register(multipart, { limits: { fields: maxFields, parts: maxFields + 20, fieldNameSize: maxNameLength } })
  app.decorateRequest('uploads')
}

/** Returns text fields as parameters and puts files into `request.uploads`. */
export async function readMultipart(request: FastifyRequest) {
  const { files } = request.routeOptions.config
  const limits = { fileSize: files?.bytes ?? request.routeOptions.bodyLimit, fieldSize: request.routeOptions.bodyLimit }
  const fields: [string, unknown][] = []

  request.uploads = []
  limitBytes(request)
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') fields.push([part.fieldname, part.value])
      else await readFile(request, part)
    }
  } catch (error) {
    discardRest(request)
    throw toRefusal(error as Error & { statusCode?: number })
  }

  return parseNested(fields)
}

export type Part = { type: 'field'; name: string; value: unknown } | { type: 'file'; filename: string; content: AsyncIterable<Buffer> }

/** The parts of a request whose route stores its files itself, each read to its end before the next. A body that is cut off is a 400. */
export async function* readParts(request: FastifyRequest, limits: { fileSize: number }): AsyncGenerator<Part> {
  for await (const part of withProblems(request.parts({ limits }))) {
    if (part.type === 'field') yield { type: 'field', name: part.fieldname, value: part.value }
    else yield { type: 'file', filename: part.filename, content: withProblems(part.file) }
  }
}

async function* withProblems<Item>(source: AsyncIterable<Item>) {
  try {
    yield* source
  } catch (error) {
    throw toRefusal(error as Error & { statusCode?: number })
  }
}

/** An unread body would block the connection, which would not even notice that the client is gone. */
function discardRest({ raw }: FastifyRequest) {
  raw.unpipe()
  raw.resume()
}

/** The multipart parser bypasses Fastify's body limit, so bytes are counted here. */
function limitBytes({ raw, routeOptions }: FastifyRequest) {
  const { max = 0, bytes = 0 } = routeOptions.config.files ?? {}
  const limit = routeOptions.bodyLimit + max * bytes
  let received = 0

  const count = (chunk: Buffer) => {
    received += chunk.length
    if (received <= limit) return
    raw.off('data', count)
    raw.emit('error', new TooLarge())
  }

  raw.on('data', count)
}

async function readFile(request: FastifyRequest, part: Extract<Multipart, { type: 'file' }>) {
  const { files } = request.routeOptions.config

  if (!files) return void part.file.resume()
  if (request.uploads.length === files.max) throw new TooLarge()
  validateText({ [part.fieldname]: part.filename })
  request.uploads.push({ field: part.fieldname, filename: part.filename, type: part.mimetype, data: await part.toBuffer() })
}

/** The parser's errors have no status code, except for 413. */
function toRefusal(error: Error & { statusCode?: number }) {
  if (error instanceof Refusal) return error

  return error.statusCode === 413 ? new TooLarge() : new InvalidInput('The body is not valid multipart')
}
