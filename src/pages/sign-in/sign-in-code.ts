import type { FastifyInstance, FastifyReply } from 'fastify'
import { findHalfOpen } from '../../identity/sessions/sessions.ts'
import { signInWithCode } from '../../identity/sessions/sign-in.ts'
import { field, formOf } from '../layout/field.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { returnTo, safePath } from './return-to.ts'
import { readSession } from './session-cookie.ts'
import { originOf, welcome } from './sign-in.ts'

/** The second step of signing in. Until it is done, the session is good for nothing but this page. */
export async function signInCodePage(app: FastifyInstance) {
  const { fork } = app.platform

  app.get('/users/sign_in/code', async (request, reply) => {
    const isHalfOpen = await findHalfOpen(fork(), readSession(request) ?? '', new Date())

    return isHalfOpen ? codePage(reply, returnTo(request)) : reply.redirect('/users/sign_in', 303)
  })

  app.post('/users/sign_in/code', async (request, reply) => {
    const back = safePath(textOf(request, 'return_to'))
    const outcome = await signInWithCode(fork(), readSession(request) ?? '', textOf(request, 'code'), originOf(request), new Date())

    if (outcome === 'expired') return reply.redirect('/users/sign_in', 303)
    if (outcome === 'refused') {
      return codePage(
        reply.code(401),
        back,
        'That code is wrong, or was used before. After several failed tries in a row, an account is locked for ten minutes.'
      )
    }

    return welcome(request, reply, outcome, back)
  })
}

function codePage(reply: FastifyReply, back: string, error?: string) {
  return page(
    reply,
    { title: 'Second step', width: 'narrow' },
    html`
    <section class="card">
      <h1>Second step</h1>
      ${formOf(
        reply.request,
        {},
        html`
        <input type="hidden" name="return_to" value="${back}">
        ${field({
          name: 'code',
          label: 'Code',
          hint: 'The six digits that your authenticator shows now, or one of your recovery codes.',
          error,
          isRequired: true,
          autocomplete: 'one-time-code',
          with: { autofocus: true, autocapitalize: 'none', spellcheck: 'false' }
        })}
        <button>Sign in</button>`
      )}
      ${formOf(reply.request, { action: '/users/sign_out' }, html`<button class="quiet">Sign in as somebody else</button>`)}
    </section>`
  )
}
