import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readSession } from '#api/guards/cookies.ts'
import { redirect } from '#api/redirect.ts'
import { findLocation, forgetSentForm, recordLocation, recordSentForm } from '#identity/sessions/sent-form-store.ts'
import { pageOfForm } from '../sign-in/return-to.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Shared by all forms of one rendering of a page. */
    formId?: string | undefined
    /** The form that is being processed for the first time. */
    sentForm?: string | undefined
  }
}

export function formIdOf(request: FastifyRequest) {
  request.formId ??= randomBytes(9).toString('base64url')

  return request.formId
}

/**
 * A form that is sent twice, by a double click or a reload, is processed once: the second response leads where the first one did, or
 * back to the form while that is being processed.
 */
export async function rejectResubmission(request: FastifyRequest, reply: FastifyReply) {
  const body = request.body as Record<string, unknown> | undefined

  if (typeof body?.form_id !== 'string') return undefined

  const digest = createHash('sha256')
    .update(JSON.stringify([readSession(request), request.url, body]))
    .digest('base64url')

  if (!(await recordSentForm(request.em, digest, new Date())))
    return redirect(reply, (await findLocation(request.em, digest)) ?? pageOfForm(request))
  request.sentForm = digest

  return undefined
}

/** Only a form that led to another page of ours counts as accepted. */
export async function rememberResponse({ sentForm, server }: FastifyRequest, reply: FastifyReply) {
  if (!sentForm) return
  const location = String(reply.getHeader('location') ?? '')
  const em = server.platform.fork()

  if (reply.statusCode < 400 && /^\/(?!\/)/.test(location)) await recordLocation(em, sentForm, location)
  else await forgetSentForm(em, sentForm)
}
