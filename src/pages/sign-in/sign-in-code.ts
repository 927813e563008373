import type { FastifyInstance, FastifyReply } from 'fastify'
import Type from 'typebox'
import { readSession } from '#api/guards/cookies.ts'
import { redirect } from '#api/redirect.ts'
import { findSession } from '#identity/sessions/sessions.ts'
import { signInWithCode } from '#identity/sessions/sign-in.ts'
import { formOf } from '../layout/field.ts'
import { Form, readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { continueTo, isAuthorization, returnTo, signInPath } from './return-to.ts'
import { clientOf, redirectSignedIn } from './sign-in.ts'

const SecondFactor = Type.Object({ code: Type.String() })

/** The second factor. Until it is given, the session is valid only for this page. */
export async function signInCodePage(app: FastifyInstance) {
  const { config } = app.platform

  app.get('/users/sign_in/code', async (request, reply) => {
    const path = returnTo(request)
    const pending = await findSession(request.em, readSession(request) ?? '', new Date(), { awaitsCode: true })

    return pending ? codePage(reply, new Form(SecondFactor)) : redirect(reply, signInPath(path))
  })

  app.post('/users/sign_in/code', async (request, reply) => {
    const path = returnTo(request)
    const form = readForm(request, SecondFactor)
    const credentials = { session: readSession(request) ?? '', ...form.body }
    const outcome = await signInWithCode(request.em, config, credentials, clientOf(request), new Date())

    if (outcome === 'expired') return redirect(reply, signInPath(path))
    if (outcome === 'invalid') {
      form.problems.code =
        'The code is wrong or was already used. After 10 failed attempts, new browsers are limited to a few attempts for 10 minutes.'

      return codePage(reply.code(401), form)
    }

    return redirectSignedIn(request, reply, outcome, path)
  })
}

async function codePage(reply: FastifyReply, form: Form<typeof SecondFactor>) {
  const path = returnTo(reply.request)

  return page(
    reply,
    { title: 'Two-factor authentication', width: 'narrow', redirectsAway: isAuthorization(path) },
    html`
    <section class="card" data-refused>
      <h1>Two-factor authentication</h1>
      ${await continueTo(reply, path)}
      ${form.render(
        reply.request,
        {},
        html`
        <input type="hidden" name="return_to" value="${path}">
        ${form.field('code', {
          label: 'Code',
          hint: 'The six-digit code from your authenticator app, or a recovery code.',
          isRequired: true,
          autocomplete: 'one-time-code',
          attributes: { autofocus: true, autocapitalize: 'none', spellcheck: 'false' }
        })}
        <button>Sign in</button>`
      )}
      ${formOf(
        reply.request,
        { action: '/users/sign_out' },
        html`<input type="hidden" name="return_to" value="${path}"><button class="quiet">Sign in as another user</button>`
      )}
    </section>`
  )
}
