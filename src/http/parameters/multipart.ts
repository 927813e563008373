import multipart, { type Multipart } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BadParameter, Problem, TooLarge } from '../problems/problems.ts'
import { nest } from './nested-names.ts'
import { checkText } from './text.ts'

/** A file that came with a request, whole. */
export interface Upload {
  field: string
  filename: string
  type: string
  data: Buffer
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The files of a multipart request, on routes that take any. */
    uploads: Upload[]
  }
  interface FastifyContextConfig {
    /** Takes so many files of so many bytes each; without it, files are passed over. */
    files?: { most: number; bytes: number }
  }
}

const mostFields = 1000
const longestName = 1000

/** Registers the reader of multipart bodies. What it reads them to is up to `readMultipart`. */
export async function takeMultipart(app: FastifyInstance) {
  await app.register(multipart, { limits: { fields: mostFields, parts: mostFields + 20, fieldNameSize: longestName } })
  app.decorateRequest('uploads')
}

/** Text fields as parameters; files into `request.uploads` where the route takes them. */
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
    passOver(request)
    throw toProblem(error as Error & { statusCode?: number })
  }

  return nest(fields)
}

/** What nobody reads holds the connection, which then does not even notice that its client is gone. */
function passOver({ raw }: FastifyRequest) {
  raw.unpipe()
  raw.resume()
}

/** The reader takes the bytes past Fastify's own limit for bodies, so they are counted here. */
function limitBytes({ raw, routeOptions }: FastifyRequest) {
  const { most = 0, bytes = 0 } = routeOptions.config.files ?? {}
  const limit = routeOptions.bodyLimit + most * bytes
  let seen = 0

  const count = (chunk: Buffer) => {
    seen += chunk.length
    if (seen <= limit) return
    raw.off('data', count)
    raw.emit('error', new TooLarge())
  }

  raw.on('data', count)
}

async function readFile(request: FastifyRequest, part: Extract<Multipart, { type: 'file' }>) {
  const { files } = request.routeOptions.config

  if (!files) return void part.file.resume()
  if (request.uploads.length === files.most) throw new TooLarge()
  checkText({ [part.fieldname]: part.filename })
  request.uploads.push({ field: part.fieldname, filename: part.filename, type: part.mimetype, data: await part.toBuffer() })
}

/** What the reader cannot make sense of, it says without a status. */
function toProblem(error: Error & { statusCode?: number }) {
  if (error instanceof Problem) return error

  return error.statusCode === 413 ? new TooLarge() : new BadParameter('The body is not valid multipart')
}
