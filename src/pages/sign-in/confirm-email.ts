import type { FastifyInstance, FastifyReply } from 'fastify'
import { confirmEmail, findByToken } from '#identity/emails/confirm-email.ts'
import { enqueueConfirmed } from '#identity/emails/jobs.ts'
import { formOf } from '../layout/field.ts'
import { textOf } from '../layout/forms.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'

/** The link of the mail only shows a form: programs that check mail follow links, too. */
export async function confirmEmailPage(app: FastifyInstance) {
  const { config } = app.platform
  const path = '/users/confirmation'

  app.get<{ Querystring: { confirmation_token?: string } }>(path, async (request, reply) => {
    const token = String(request.query.confirmation_token ?? '')
    const found = await findByToken(request.em, config, token)

    if (!found) return invalidLink(reply)

    return card(
      reply,
      html`
      <h1>Confirm your e-mail address</h1>
      <p>Is <strong>${found.email}</strong> the address of <strong>${found.user.username}</strong>?</p>
      ${formOf(request, { action: path }, html`<input type="hidden" name="confirmation_token" value="${token}"><button>Confirm</button>`)}`
    )
  })

  // The token is the proof, so another site cannot forge the request.
  app.post(path, { config: { isBeforeSession: true } }, async (request, reply) => {
    const found = await confirmEmail(request.em, config, textOf(request, 'confirmation_token'), { ip: request.ip, at: new Date() })

    if (!found) return invalidLink(reply)
    const { user, email } = found

    await enqueueConfirmed(app.platform, user.id)

    return card(reply, html`<h1>Confirmed</h1><p><strong>${email}</strong> is confirmed. <a href="/">Continue</a></p>`)
  })
}

function invalidLink(reply: FastifyReply) {
  const text = 'The link is invalid, or the address was removed. Add the address again, or ask for another link in your settings.'

  return card(reply.code(400), html`<h1>Invalid link</h1><p class="problem" role="alert">${text}</p>`)
}

function card(reply: FastifyReply, content: Html) {
  return page(reply, { title: 'E-mail address', width: 'narrow' }, html`<section class="card">${content}</section>`)
}
