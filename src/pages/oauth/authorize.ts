import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readSession } from '#api/guards/cookies.ts'
import { BadParameter } from '#api/problems/problems.ts'
import { redirect } from '#api/redirect.ts'
import type { Session } from '#identity/sessions/session.ts'
import { findSession } from '#identity/sessions/sessions.ts'
import { approveRequest, denyRequest } from '#oauth/authorize/approve-request.ts'
import { type AuthorizationRequest, checkAuthorizationRequest } from '#oauth/authorize/authorization-request.ts'
import { codeResponse, errorResponse } from '#oauth/authorize/authorization-response.ts'
import { nextStep } from '#oauth/authorize/next-step.ts'
import { findRedirectTarget } from '#oauth/authorize/redirect-target.ts'
import { AccessDenied, InvalidRequest, LoginRequired, OAuthError } from '#oauth/errors.ts'
import { parseQuery } from '#oauth/parameters.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { textOf } from '../layout/forms.ts'
import { consentPage } from './consent-page.ts'
import { authorizationErrorPage } from './error-page.ts'
import { sendResponse } from './send-response.ts'
import { signInFor, withoutSignIn } from './sign-in-for.ts'

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
  const guard = { onRequest: app.allowAnyone }

  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof BadParameter) return authorizationErrorPage(reply, new InvalidRequest(error.summary()))
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
