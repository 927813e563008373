import type { Config } from '#config.ts'
import type { Session } from '#identity/sessions/session.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { ConsentRequired, LoginRequired } from '../errors.ts'
import { userOfIdToken } from '../openid/id-token-hint.ts'
import { checkScopesOfUser } from '../requested-scopes.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { Consent } from './consent.ts'

/** The page that the user has to see first, or `approve` when there is none. Throws with `prompt=none` (OpenID Connect Core §3.1.2.6). */
export async function nextStep(em: EntityManager, config: Config, request: AuthorizationRequest, session: Session | null, at: Date) {
  const isSilent = request.prompts.includes('none')

  if (!session || mustSignInAgain(request, session, at) || (await isForAnother(em, config, request, session, at))) {
    if (isSilent) throw new LoginRequired()
    return 'sign-in'
  }
  checkScopesOfUser(request.scopes, session.user)
  if (!(await hasConsent(em, request, session))) {
    if (isSilent) throw new ConsentRequired()
    return 'consent'
  }

  return 'approve'
}

function mustSignInAgain({ prompts, maxAge }: AuthorizationRequest, { createdAt }: Session, at: Date) {
  if (prompts.includes('login') || prompts.includes('select_account')) return true

  return maxAge !== undefined && at.getTime() - createdAt.getTime() > maxAge * 1000
}

/** A hint that cannot be verified is ignored, except with `prompt=none`. */
async function isForAnother(em: EntityManager, config: Config, request: AuthorizationRequest, { user }: Session, at: Date) {
  const { idTokenHint, application, prompts } = request

  if (!idTokenHint) return false
  const hinted = await userOfIdToken(em, config, idTokenHint, application.uid, at)

  return hinted === undefined ? prompts.includes('none') : hinted !== user.id
}

async function hasConsent(em: EntityManager, { application, redirectUri, scopes, prompts }: AuthorizationRequest, { user }: Session) {
  if (prompts.includes('consent')) return false
  // RFC 8252 §8.6: another program can claim the address of a public client, so each request is shown to the user.
  if (!application.isConfidential && !redirectUri.startsWith('https:')) return false
  if (application.isTrusted()) return true
  const consent = await em.findOne(Consent, { user: user.id, application: application.id })

  return consent !== null && scopes.every(scope => consent.scopes.includes(scope))
}
