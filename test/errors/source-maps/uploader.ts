import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { eventually, rootToken } from '../../support/world.ts'
import { sha1 } from '../fixtures/bundle.ts'
import { sentryClient } from '../sentry-api/client.ts'

type Part = [field: string, filename: string, content: Buffer]

/** Uploads as `sentry-cli` does. */
export function uploader(app: FastifyInstance, org = 'root', token = rootToken) {
  const headers = { authorization: `Bearer ${token}` }
  const ask = sentryClient(app, token)
  const uploadParts = async (parts: Part[]) => {
    const { payload, type } = multipart(parts)
    const url = `/api/0/organizations/${encodeURIComponent(org)}/chunk-upload/`
    const response = await app.inject({ method: 'POST', url, headers: { ...headers, 'content-type': type }, payload })

    return { status: response.statusCode, body: response.json() }
  }
  const assemble = async (bundle: Buffer, projects: (string | number)[], fields: object = {}, chunks = [sha1(bundle)]) =>
    ask('POST', `organizations/${encodeURIComponent(org)}/artifactbundle/assemble/`, {
      checksum: sha1(bundle),
      chunks,
      projects,
      ...fields
    })

  return {
    ask,
    uploadParts,
    assemble,
    /** Uploads a bundle and waits until it is assembled or has failed. */
    upload: async (bundle: Buffer, project: string | number, fields: object = {}) => {
      await uploadParts([['file_gzip', sha1(bundle), gzipSync(bundle)]])

      return eventually(async () => {
        const { body } = await assemble(bundle, [project], fields)

        return ['ok', 'error'].includes(body.state) && body
      }, 'the bundle is assembled')
    }
  }
}

function multipart(parts: Part[]) {
  const boundary = '----test-boundary'
  const payload = Buffer.concat([
    ...parts.flatMap(([field, filename, content]) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n`
      ),
      content,
      Buffer.from('\r\n')
    ]),
    Buffer.from(`--${boundary}--\r\n`)
  ])

  return { payload, type: `multipart/form-data; boundary=${boundary}` }
}
