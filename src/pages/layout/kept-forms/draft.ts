import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieName, cookieOptions } from '../../../http/guards/cookies.ts'
import { ownPath } from '../../../http/redirect.ts'
import { deleteDraft, findDraft, saveDraft } from '../../../identity/forms/draft-store.ts'
import { lookUp } from '../../../lib/json.ts'
import { decryptBytes, deriveKey, encryptBytes } from '../../../platform/database/encryption.ts'
import { pageOfForm } from '../../sign-in/return-to.ts'

/** The values of a form that was not accepted because its session had ended. */
export interface Draft {
  page: string
  action: string
  fields: Record<string, string[]>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The draft of this page, until a form shows it. */
    draft?: Draft | undefined
  }
}

const maxBytes = 256 * 1024
const secretNames = /password|code|token|secret|^(current|again)$/
const purpose = 'form drafts'

/** Reads the form of a request that no guard admitted; undefined if it is not one of our pages', or has nothing to keep. */
export async function readDraft(request: FastifyRequest): Promise<Draft | undefined> {
  const { headers, method, url } = request
  const page = pageOfForm(request)
  const isForm = method === 'POST' && headers['content-type']?.startsWith('application/x-www-form-urlencoded')

  if (!isForm || page === '/' || !isSameOrigin(request)) return undefined
  const fields: Record<string, string[]> = {}

  for (const [name, value] of (await readBody(request)) ?? []) {
    if (!secretNames.test(name)) fields[name] = [...(lookUp(fields, name) ?? []), value]
  }

  return Object.keys(fields).length > 0 ? { page, action: url, fields } : undefined
}

/** For a hidden field of the sign-in page, so that nothing is stored before a user has signed in. */
export async function sealDraft({ server }: FastifyRequest, draft: Draft) {
  const packed = await promisify(deflateRaw)(JSON.stringify(draft))

  return encryptBytes(await deriveKey(server.platform.config, purpose), packed, purpose).toString('base64url')
}

async function openDraft({ server }: FastifyRequest, sealed: string | Buffer): Promise<Draft | undefined> {
  const bytes = typeof sealed === 'string' ? Buffer.from(sealed, 'base64url') : sealed
  const packed = decryptBytes(await deriveKey(server.platform.config, purpose), bytes, purpose)

  return packed && JSON.parse((await promisify(inflateRaw)(packed, { maxOutputLength: 4 * maxBytes })).toString())
}

/** Stores a draft for the user who signed in. Returns the page to go to, at its form. */
export async function saveSealedDraft(request: FastifyRequest, reply: FastifyReply, userId: number, sealed: string) {
  const draft = sealed === '' ? undefined : await openDraft(request, sealed)

  return draft && storeDraft(request, reply, userId, draft)
}

export async function storeDraft(request: FastifyRequest, reply: FastifyReply, userId: number, draft: Draft) {
  const fields = Buffer.from(await sealDraft(request, draft), 'base64url')

  await saveDraft(request.server.platform.fork(), userId, { page: draft.page, action: draft.action, fields }, new Date())
  reply.setCookie(nameOf(request), '1', { ...cookieOptions(reply), maxAge: 3600 })

  return `${ownPath(draft.page)}#draft`
}

/** Finds the draft of a page that is read; forgets it when its form is sent. */
export async function useDraft(request: FastifyRequest, reply: FastifyReply) {
  const userId = request.caller?.user.id

  if (!userId || !request.cookies?.[nameOf(request)]) return
  const em = request.server.platform.fork()
  const row = await findDraft(em, userId, new Date())

  if (!row || (request.method === 'POST' && row.action === request.url)) {
    reply.clearCookie(nameOf(request), cookieOptions(reply))
    if (row) await deleteDraft(em, userId)
  } else if (request.method === 'GET' && row.page === request.url) {
    request.draft = await openDraft(request, row.fields)
  }
}

function nameOf({ server }: FastifyRequest) {
  return cookieName(server.platform.config, '_draft')
}

/** Another site must not fill in our forms. */
function isSameOrigin({ headers: { 'sec-fetch-site': site, origin, host } }: FastifyRequest) {
  return site ? site === 'same-origin' : origin !== undefined && URL.parse(origin)?.host === host
}

/** A guard may have refused the request before its body was read. */
async function readBody({ body, headers, raw }: FastifyRequest) {
  if (body) {
    return Object.entries(body as Record<string, string | string[]>).flatMap(([name, value]) =>
      [value].flat().map(one => [name, one] as const)
    )
  }
  const length = Number(headers['content-length'])

  if (!(length <= maxBytes)) return undefined
  const chunks: Buffer[] = []

  for await (const chunk of raw) chunks.push(chunk as Buffer)

  return [...new URLSearchParams(Buffer.concat(chunks).toString())]
}
