import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieName, cookieOptions, readSession } from '#api/guards/cookies.ts'
import { relyingPartyOf } from '#identity/passkeys/relying-party.ts'
import { newSecret } from '#identity/secrets.ts'
import { beginPasskeyFactor, beginPasskeySignIn } from '#identity/sessions/sign-in-with-passkey.ts'
import type { User } from '#identity/users/user.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { passkeyForm } from '../layout/passkey-form.ts'

/** Signs in without a password; undefined where passkeys do not work. */
export async function passkeySignIn(reply: FastifyReply, returnTo: string) {
  const { request, server } = reply
  const { config } = server.platform
  const party = relyingPartyOf(config)

  if (!party) return undefined
  const options = await beginPasskeySignIn(config, party, readBrowser(request) ?? rememberBrowser(reply), new Date())

  return passkeyForm(
    request,
    { action: '/users/sign_in/passkey', options, page: '/users/sign_in' },
    html`<input type="hidden" name="return_to" value="${returnTo}"><button class="plain">Sign in with a passkey</button>`
  )
}

/** After the password; undefined for users without passkeys. */
export async function passkeyFactor(reply: FastifyReply, user: User, returnTo: string) {
  const { request, server } = reply
  const { config } = server.platform
  const options = await beginPasskeyFactor(request.em, config, user, readSession(request) ?? '', new Date())

  return (
    options &&
    passkeyForm(
      request,
      { action: '/users/sign_in/code/passkey', options },
      html`<input type="hidden" name="return_to" value="${returnTo}"><button>Use a passkey</button>`
    )
  )
}

/** What the browser signs in with, without a session. */
export function readPasskeyAnswer(request: FastifyRequest) {
  return { browser: readBrowser(request) ?? '', credential: textOf(request, 'credential') }
}

/** Before there is a session, challenges are bound to the browser by a cookie of its own. */
function rememberBrowser(reply: FastifyReply) {
  const secret = newSecret()

  reply.setCookie(cookieName(reply.server.platform.config, browserCookie), secret, cookieOptions(reply))

  return secret
}

function readBrowser(request: FastifyRequest) {
  return request.cookies?.[cookieName(request.server.platform.config, browserCookie)] || undefined
}

const browserCookie = '_service_sign_in'
