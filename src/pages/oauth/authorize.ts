import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readSession } from '#api/guards/cookies.ts'
import { redirect } from '#api/redirect.ts'
import { Login } from '#identity/sessions/authenticate-password.ts'
import type { Session } from '#identity/sessions/session.ts'
import { findSession } from '#identity/sessions/sessions.ts'
import { InvalidInput } from '#lib/refusals.ts'
import { approveRequest, denyRequest } from '#oauth/authorize/approve-request.ts'
import { type AuthorizationRequest, checkAuthorizationRequest } from '#oauth/authorize/authorization-request.ts'
import { codeResponse, errorResponse } from '#oauth/authorize/authorization-response.ts'
import { nextStep } from '#oauth/authorize/next-step.ts'
import { findRedirectTarget } from '#oauth/authorize/redirect-target.ts'
import { AccessDenied, InvalidClient, InvalidRedirectUri, InvalidRequest, LoginRequired, OAuthError } from '#oauth/errors.ts'
import { parseQuery } from '#oauth/parameters.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Form } from '../layout/form.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { refuseImpersonation } from '../sign-in/require-sign-in.ts'
import { signInPage } from '../sign-in/sign-in.ts'
import { consentPage } from './consent-page.ts'
import { sendResponse } from './send-response.ts'

const path = '/oauth/authorize'
/** A longer URL does not pass every proxy. */
const maxQueryLength = 8000

interface AuthorizationContext {
  em: EntityManager
  authorization: AuthorizationRequest
  /** Null for a visitor who is not signed in. */
  session: Session | null
  query: string
  at: Date
}

/** The authorization endpoint (RFC 6749 §3.1) and the user's decision. */
export async function authorizationPages(app: FastifyInstance) {
  const { config } = app.platform
  const guard = {
    onRequest: async (request: FastifyRequest) => {
      await app.allowAnyone(request)
      refuseImpersonation(request)
    }
  }

  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof InvalidInput) return authorizationErrorPage(reply, new InvalidRequest(error.message))
    if (!(error instanceof OAuthError)) throw error

    return authorizationErrorPage(reply, error)
  })

  app.get(path, guard, (request, reply) =>
    withAuthorization(request, reply, async context => {
      const { em, authorization, session, query, at } = context
      const step = await nextStep(em, config, authorization, session, at)

      if (step === 'sign-in') return signInFor(reply, withoutSignIn(query, authorization), authorization.loginHint)
      if (step === 'consent') return consentPage(reply, authorization, query)

      return approve(request, reply, context)
    })
  )

  app.post(`${path}/decision`, guard, (request, reply) =>
    withAuthorization(request, reply, async context => {
      const { em, authorization, session, query, at } = context

      if ((await nextStep(em, config, authorization, session, at)) === 'sign-in') return redirect(reply, `${path}?${query}`)
      if (textOf(request, 'decision') === 'approve') return approve(request, reply, context)
      await denyRequest(em, request.actor, authorization, session!)
      throw new AccessDenied()
    })
  )

  // OpenID Connect Core §3.1.2.1. Other sites send this form, so it only leads to the same request by GET.
  app.post(path, { config: { isBeforeSession: true } }, async (request, reply) => {
    const query = new URLSearchParams(Object.entries(request.body ?? {}).flatMap(pairsOf)).toString()

    if (query.length > maxQueryLength) throw new InvalidRequest('The request is too long.')

    return redirect(reply, `${path}?${query}`)
  })

  async function withAuthorization(
    request: FastifyRequest,
    reply: FastifyReply,
    run: (context: AuthorizationContext) => Promise<FastifyReply>
  ) {
    const query = request.url.slice(request.url.indexOf('?') + 1)
    const [em, at, { params, repeated }] = [request.em, new Date(), parseQuery(query)]
    const target = await findRedirectTarget(em, params, repeated)
    const session = await sessionOf(em, request, at)

    try {
      const authorization = checkAuthorizationRequest(target, params, repeated)

      return await run({ em, authorization, session, query, at })
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      // RFC 9700 §4.11.2: a visitor signs in before an error is redirected, so that a link to us does not lead to another site at
      // once. OpenID Connect Core §3.1.2.6 requires one exception: login_required, for a valid request with prompt=none.
      if (!session && !(error instanceof LoginRequired)) return signInFor(reply, query, params.login_hint)

      return sendResponse(reply, target, errorResponse(target, config.baseUrl, error))
    }
  }

  async function approve(request: FastifyRequest, reply: FastifyReply, { em, authorization, session, at }: AuthorizationContext) {
    const code = await approveRequest(em, request.actor, authorization, session!, at)

    return sendResponse(reply, authorization, codeResponse(authorization, config.baseUrl, code))
  }
}

/** An access token does not count: only a person can approve. */
async function sessionOf(em: EntityManager, request: FastifyRequest, at: Date) {
  return request.caller?.by.kind === 'session' ? findSession(em, readSession(request) ?? '', at) : null
}

function pairsOf([name, values]: [string, string | string[]]) {
  return [values].flat().map(value => [name, value] as [string, string])
}

/** An error that must not be sent to the redirect URI (RFC 6749 §4.1.2.1). */
function authorizationErrorPage(reply: FastifyReply, error: OAuthError) {
  return page(
    reply.code(error.status),
    { title: 'Authorization failed', width: 'narrow' },
    html`
    <section class="card">
      <h1>Authorization failed</h1>
      <p>${reasonOf(error)}</p>
      <p>Nothing was shared with it. If the problem persists, tell the developers of the application:</p>
      <p><code>${error.code}</code>: ${error.description}</p>
      <p><a href="/">Go to the home page</a></p>
    </section>`
  )
}

function reasonOf(error: OAuthError) {
  if (error instanceof InvalidClient) return 'The application that sent you here is not registered, or was deleted.'
  if (error instanceof InvalidRedirectUri)
    return 'The application that sent you here wants the answer at an address that is not registered or not valid.'

  return 'The application that sent you here made an invalid request.'
}

/** The sign-in page, which leads back to the authorization request. */
function signInFor(reply: FastifyReply, query: string, login?: string) {
  return signInPage(reply, { returnTo: `/oauth/authorize?${query}`, form: new Form(Login, { login }) })
}

/** The query of a valid request without the parameters that ask for a sign-in, which would ask again. */
function withoutSignIn(query: string, { prompts }: AuthorizationRequest) {
  const parameters = new URLSearchParams(query)

  parameters.delete('max_age')
  parameters.delete('prompt')
  if (prompts.includes('consent')) parameters.set('prompt', 'consent')

  return parameters.toString()
}
