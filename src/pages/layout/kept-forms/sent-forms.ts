import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readSession } from '../../../http/guards/cookies.ts'
import { redirect } from '../../../http/redirect.ts'
import { findLocation, forgetSentForm, recordLocation, recordSentForm } from '../../../identity/forms/sent-form-store.ts'
import { pageOfForm } from '../../sign-in/return-to.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of all forms of one rendering of a page. */
    formId?: string | undefined
    /** Of a form that is being processed for the first time. */
    sentForm?: string | undefined
  }
}

const waitMs = 100
const maxWaits = 50

export function formIdOf(request: FastifyRequest) {
  request.formId ??= randomBytes(9).toString('base64url')

  return request.formId
}

/** A form that is sent twice, by a double click or a reload, is processed once: the second answer leads where the first one did. */
export async function refuseSecond(request: FastifyRequest, reply: FastifyReply) {
  const body = request.body as Record<string, unknown> | undefined

  if (typeof body?.form_id !== 'string') return undefined
  const em = request.server.platform.fork()
  const digest = createHash('sha256')
    .update(JSON.stringify([readSession(request), request.url, body]))
    .digest('base64url')

  for (let waits = 0; waits < maxWaits; waits++) {
    if (await recordSentForm(em, digest, new Date())) {
      request.sentForm = digest

      return undefined
    }
    const location = await findLocation(em, digest)

    if (location) return redirect(reply, location)
    await setTimeout(waitMs)
  }

  return redirect(reply, pageOfForm(request))
}

/** Only a form that led to another page of ours counts as accepted. */
export async function noteAnswer({ sentForm, server }: FastifyRequest, reply: FastifyReply) {
  if (!sentForm) return
  const location = String(reply.getHeader('location') ?? '')
  const em = server.platform.fork()

  if (reply.statusCode < 400 && /^\/(?!\/)/.test(location)) await recordLocation(em, sentForm, location)
  else await forgetSentForm(em, sentForm)
}
