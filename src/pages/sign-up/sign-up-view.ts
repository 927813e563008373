import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import type { InstanceDefaults } from '#instance-settings/instance-setting.ts'
import type { Form } from '../layout/form.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { type AccountForm, accountFields } from './account-fields.ts'

const path = '/users/sign_up'
const back = html`<a class="button plain" href="/users/sign_in">Back to sign-in</a>`

export const EmailForm = Type.Object({ email: Type.String({ minLength: 1, maxLength: 255 }) })

export function emailView(reply: FastifyReply, { signUp, domainAllowlist }: InstanceDefaults, form: Form<typeof EmailForm>) {
  return card(
    reply,
    html`
    <h1>Create an account</h1>
    <p class="lead">We’ll e-mail you a link to continue.${signUp === 'approval' && ' An administrator then approves your account.'}</p>
    ${form.render(
      reply.request,
      { action: path },
      html`
      ${form.field('email', {
        label: 'E-mail',
        type: 'email',
        autocomplete: 'email',
        hint: domainAllowlist.length > 0 ? `At ${domainAllowlist.slice(0, 10).join(', ')}.` : undefined
      })}
      <p class="actions"><button>Send the link</button> ${back}</p>`
    )}`
  )
}

export function requestedView(reply: FastifyReply) {
  return card(
    reply,
    html`
    <h1>Check your mail</h1>
    <p>We sent you a link to continue. It works for 24 hours.</p>
    <p class="hint">Nothing after a few minutes? Look in the spam folder. Another link is sent after ten minutes at the earliest.</p>
    <p>${back}</p>`
  )
}

export function closedView(reply: FastifyReply) {
  return card(
    reply,
    html`
    <h1>Sign-up is closed</h1>
    <p>Ask an administrator for an account. If you were invited, use the link in that e-mail.</p>
    <p>${back}</p>`
  )
}

interface AccountView {
  email: string
  token: string
  form: Form<typeof AccountForm>
}

export function accountView(reply: FastifyReply, { email, token, form }: AccountView) {
  return card(
    reply,
    html`
    <h1>Create an account</h1>
    <p class="lead">Its e-mail address is <strong>${email}</strong>.</p>
    ${form.render(
      reply.request,
      { action: `${path}/account` },
      html`<input type="hidden" name="sign_up_token" value="${token}">${accountFields(form)}<button>Create the account</button>`
    )}`
  )
}

export function waitingView(reply: FastifyReply, email: string) {
  return card(
    reply,
    html`
    <h1>Your account is waiting for approval</h1>
    <p>An administrator has been notified. Once they approve it, you get an e-mail at <strong>${email}</strong> and can sign in.</p>
    <p>${back}</p>`
  )
}

export function invalidLinkView(reply: FastifyReply) {
  return card(
    reply.code(400),
    html`
    <h1>Invalid link</h1>
    <p class="problem" role="alert">The link was used, has expired or is incomplete.</p>
    <p class="actions"><a class="button plain" href="${path}">Get a new link</a> ${back}</p>`
  )
}

function card(reply: FastifyReply, content: Html) {
  return page(reply, { title: 'Create an account', width: 'narrow' }, html`<section class="card" data-refused>${content}</section>`)
}
