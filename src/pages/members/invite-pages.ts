import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readSession } from '#api/guards/cookies.ts'
import { redirect } from '#api/redirect.ts'
import { getUser } from '#identity/users/find-user.ts'
import { readInstanceSettings } from '#instance-settings/instance-setting.ts'
import { NotFound } from '#lib/refusals.ts'
import { acceptInvitation, declineInvitation } from '#projects/invitations/accept-invitation.ts'
import { findInvitation } from '#projects/invitations/invitation-token.ts'
import { flash } from '../layout/flash.ts'
import { html } from '../layout/html.ts'
import { identifyReader } from '../layout/problem-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { rejectCrossSite } from '../sign-in/sign-in.ts'
import { addressOf, card, expiredLink, inviteView, usedLink } from './invite-view.ts'
import { completeSignUp, signUp } from './sign-up.ts'

type ByToken = { Params: { token: string } }

const path = '/-/invites/:token'

/** The link of an invitation only shows a page: programs that check mail follow links, too. */
export async function invitePages(app: FastifyInstance) {
  app.get<ByToken>(path, async (request, reply) => {
    const invitation = await findOpen(request, reply)

    await identifyReader(request)

    return invitation ? inviteView(reply, invitation) : reply
  })

  app.post<ByToken>(`${path}/accept`, { onRequest: requirePerson(app) }, async (request, reply) => {
    const invitation = await findOpen(request, reply)

    if (!invitation) return reply
    const source = await acceptInvitation(request.em, invitation.id, await getUser(request.em, request.user.id), request.actor, new Date())

    if (!source) return usedLink(reply)
    flash(reply, `You are now a member of ${source.name}.`)

    return redirect(reply, addressOf(source))
  })

  // Without a session the token is the proof; with one, the form has a CSRF token, too.
  app.post<ByToken>(`${path}/decline`, async (request, reply) => {
    const invitation = await findOpen(request, reply)

    if (!invitation) return reply
    if (readSession(request)) await identifyReader(request)
    const source = await declineInvitation(request.em, invitation.id, request.actor, new Date())

    return source
      ? card(reply, html`<h1>Declined</h1><p>You declined the invitation to <strong>${source.name}</strong>.</p>`)
      : usedLink(reply)
  })

  const beforeSession = {
    onRequest: async (request: FastifyRequest) => rejectCrossSite(request),
    config: { isBeforeSession: true as const }
  }

  app.post<ByToken>(`${path}/sign_up`, beforeSession, async (request, reply) => {
    const invitation = await findOpen(request, reply)

    if (!invitation) return reply
    if ((await readInstanceSettings(request.em)).signUp === 'off') throw new NotFound()
    const { form, source } = await signUp(request, invitation)

    return source ? completeSignUp(request, reply, { form, source }) : inviteView(reply.code(400), invitation, form)
  })
}

/** Undefined when the answer says why the link does not work. */
async function findOpen(request: FastifyRequest<ByToken>, reply: FastifyReply) {
  const { config } = request.server.platform
  const invitation = await findInvitation(request.em, config, request.params.token)

  if (!invitation) return void usedLink(reply)

  return invitation.isOpen(new Date()) ? invitation : void expiredLink(reply)
}
