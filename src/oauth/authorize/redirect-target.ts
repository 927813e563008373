import type { EntityManager } from '#platform/database/database.ts'
import { Application } from '../applications/application.ts'
import { redirectUriProblem } from '../applications/redirect-uri.ts'
import { InvalidClient, InvalidRedirectUri, InvalidRequest, MissingParameter } from '../errors.ts'
import type { Parameters } from '../parameters.ts'
import { isRegisteredRedirectUri } from '../redirect-uri.ts'

export const responseModes = ['query', 'fragment', 'form_post'] as const

export type ResponseMode = (typeof responseModes)[number]

/** The address that answers of the authorization endpoint go to. */
export interface RedirectTarget {
  application: Application
  redirectUri: string
  responseMode: ResponseMode
  state: string | undefined
}

/** RFC 6749 §4.1.2.1: an error here must not be redirected. */
export async function findRedirectTarget(em: EntityManager, params: Parameters, repeated: Set<string>): Promise<RedirectTarget> {
  if (repeated.has('client_id') || repeated.has('redirect_uri')) throw new InvalidRequest('A parameter is repeated.')
  if (!params.client_id) throw new MissingParameter('client_id')
  const application = await em.findOne(Application, { uid: params.client_id }, { populate: ['owner'] })

  if (!application) throw new InvalidClient()
  const { redirect_uri: redirectUri, state } = params

  if (!redirectUri || !isRegisteredRedirectUri(application.redirectUris, redirectUri)) throw new InvalidRedirectUri()
  // Any port of a loopback address matches, and earlier versions registered addresses that cannot work.
  const problem = redirectUriProblem(redirectUri, { isSecure: false })

  if (problem) throw new InvalidRedirectUri(`The redirect URI ${problem}`)
  const responseMode = responseModes.find(mode => mode === params.response_mode) ?? 'query'

  return { application, redirectUri, responseMode, state: repeated.has('state') ? undefined : state }
}
