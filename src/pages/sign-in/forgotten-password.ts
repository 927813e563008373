import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { requestPasswordLink } from '#identity/passwords/request-password-link.ts'
import { Form, readForm } from '../layout/form.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { rejectCrossSite } from './sign-in.ts'

const path = '/users/password/new'
const ForgottenPassword = Type.Object({ login: Type.String({ minLength: 1, maxLength: 255 }) })

const back = html`<a class="button plain" href="/users/sign_in">Back to sign-in</a>`

/** The answer is the same whether or not there is such a user. */
export async function forgottenPasswordPage(app: FastifyInstance) {
  const { mail } = app.platform
  const beforeSession = {
    onRequest: async (request: FastifyRequest) => rejectCrossSite(request),
    config: { isBeforeSession: true as const }
  }

  app.get(path, async (_request, reply) => (mail.isConfigured ? showForm(reply, new Form(ForgottenPassword)) : askAnAdmin(reply)))

  app.post(path, beforeSession, async (request, reply) => {
    if (!mail.isConfigured) return askAnAdmin(reply.code(404))
    const form = readForm(request, ForgottenPassword)
    const saved = await form.save(({ login }) => requestPasswordLink(request.em, login, { ip: request.ip }, new Date()))

    return saved ? requested(reply) : showForm(reply.code(400), form)
  })
}

function showForm(reply: FastifyReply, form: Form<typeof ForgottenPassword>) {
  return card(
    reply,
    html`
    <h1>Forgot your password?</h1>
    <p class="lead">We’ll e-mail you a link to choose a new one.</p>
    ${form.render(
      reply.request,
      { action: path },
      html`
      ${form.field('login', {
        label: 'Username or e-mail',
        autocomplete: 'username',
        attributes: { autocapitalize: 'none', spellcheck: 'false', autofocus: true }
      })}
      <p class="actions"><button>Send the link</button> ${back}</p>`
    )}`
  )
}

function requested(reply: FastifyReply) {
  return card(
    reply,
    html`
    <h1>Check your mail</h1>
    <p>If an active account matches, a link is on its way to its e-mail address. It works once, within two hours.</p>
    <p class="hint">Nothing after a few minutes? Look in the spam folder. Another link is sent after ten minutes at the earliest.</p>
    <p>${back}</p>`
  )
}

function askAnAdmin(reply: FastifyReply) {
  return card(reply, html`<h1>Forgot your password?</h1><p>Ask an administrator to reset it.</p><p>${back}</p>`)
}

function card(reply: FastifyReply, content: Html) {
  return page(reply, { title: 'Forgotten password', width: 'narrow' }, html`<section class="card" data-refused>${content}</section>`)
}
