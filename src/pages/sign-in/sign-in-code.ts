import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { readSession } from '#api/guards/cookies.ts'
import { redirect } from '#api/redirect.ts'
import { findSession } from '#identity/sessions/sessions.ts'
import { signInWithCode } from '#identity/sessions/sign-in.ts'
import { signInWithPasskeyFactor } from '#identity/sessions/sign-in-with-passkey.ts'
import type { User } from '#identity/users/user.ts'
import { formOf } from '../layout/field.ts'
import { Form, readForm } from '../layout/form.ts'
import { textOf } from '../layout/forms.ts'
import { html, trusted } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { passkeyFactor } from './passkey-sign-in.ts'
import { continueTo, isAuthorization, returnTo, signInPath } from './return-to.ts'
import { clientOf, redirectSignedIn } from './sign-in.ts'

const SecondFactor = Type.Object({ code: Type.String() })

/** The second factor. Until it is given, the session is valid only for this page. */
export async function signInCodePage(app: FastifyInstance) {
  const { config } = app.platform

  app.get('/users/sign_in/code', async (request, reply) => {
    const path = returnTo(request)
    const user = await findPending(request)

    return user ? codePage(reply, user, new Form(SecondFactor)) : redirect(reply, signInPath(path))
  })

  app.post('/users/sign_in/code', async (request, reply) => {
    const path = returnTo(request)
    const form = readForm(request, SecondFactor)
    const credentials = { session: readSession(request) ?? '', ...form.body }
    const outcome = await signInWithCode(request.em, config, credentials, clientOf(request), new Date())

    const user = outcome === 'invalid' && (await findPending(request))

    if (user) {
      form.problems.code =
        'The code is wrong or was already used. After 10 failed attempts, new browsers are limited to a few attempts for 10 minutes.'

      return codePage(reply.code(401), user, form)
    }
    if (typeof outcome === 'string') return redirect(reply, signInPath(path))

    return redirectSignedIn(request, reply, outcome, path)
  })

  app.post('/users/sign_in/code/passkey', async (request, reply) => {
    const path = returnTo(request)
    const answer = { browser: readSession(request) ?? '', credential: textOf(request, 'credential') }
    const outcome = await signInWithPasskeyFactor(request.em, config, answer, clientOf(request), new Date())
    const user = outcome === 'invalid' && (await findPending(request))

    if (user) {
      const form = new Form(SecondFactor)

      form.problems.base = 'The passkey was not accepted. Try again, or enter a code.'

      return codePage(reply.code(401), user, form)
    }
    if (typeof outcome === 'string') return redirect(reply, signInPath(path))

    return redirectSignedIn(request, reply, outcome, path)
  })
}

/** Who has given the password. */
async function findPending(request: FastifyRequest) {
  const pending = await findSession(request.em, readSession(request) ?? '', new Date(), { awaitsCode: true })

  return pending?.user as User | undefined
}

async function codePage(reply: FastifyReply, user: User, form: Form<typeof SecondFactor>) {
  const path = returnTo(reply.request)
  const passkeys = await passkeyFactor(reply, user, path)

  return page(
    reply,
    { title: 'Two-factor authentication', width: 'narrow', redirectsAway: isAuthorization(path) },
    html`
    <section class="card" data-refused>
      <h1>Two-factor authentication</h1>
      ${await continueTo(reply, path)}
      ${form.notices()}
      ${passkeys}
      ${form.render(
        reply.request,
        {},
        html`
        <input type="hidden" name="return_to" value="${path}">
        ${form.field('code', {
          label: user.totpEnabledAt ? 'Code' : 'Recovery code',
          hint: user.totpEnabledAt ? 'The six-digit code from your authenticator app, or a recovery code.' : 'Each works once.',
          isRequired: true,
          autocomplete: 'one-time-code',
          attributes: { autofocus: !passkeys, autocapitalize: 'none', spellcheck: 'false' }
        })}
        <button${passkeys && trusted(' class="plain"')}>Sign in</button>`
      )}
      ${formOf(
        reply.request,
        { action: '/users/sign_out' },
        html`<input type="hidden" name="return_to" value="${path}"><button class="quiet">Sign in as another user</button>`
      )}
    </section>`
  )
}
