import { checkCodeChallenge } from '../code-challenge.ts'
import { InvalidRequest, MissingParameter, ParameterNotSupported, UnsupportedResponseType } from '../errors.ts'
import type { Parameters } from '../parameters.ts'
import { checkMaxAge, checkPrompt } from '../prompt.ts'
import { checkRequestedScopes } from '../requested-scopes.ts'
import { type RedirectTarget, responseModes } from './redirect-target.ts'

/** A valid authorization request (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1). */
export interface AuthorizationRequest extends RedirectTarget {
  scopes: string[]
  codeChallenge?: string
  nonce?: string
  prompts: string[]
  /** Seconds since the sign-in. */
  maxAge?: number
  /** The user's login, for the sign-in page. */
  loginHint?: string
  /** An ID token of the user who should be signed in. */
  idTokenHint?: string
}

const parameterNames = [
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'prompt',
  'max_age',
  'login_hint',
  'id_token_hint'
]

/** Errors are sent to the target. */
export function checkAuthorizationRequest(target: RedirectTarget, params: Parameters, repeated: Set<string>): AuthorizationRequest {
  const { response_type: type, response_mode: mode, nonce } = params

  if (parameterNames.some(name => repeated.has(name))) throw new InvalidRequest('A parameter is repeated.')
  for (const name of ['request', 'request_uri', 'registration'] as const) if (params[name]) throw new ParameterNotSupported(name)
  if (!type) throw new MissingParameter('response_type')
  if (type !== 'code') throw new UnsupportedResponseType()
  if (mode && !responseModes.some(one => one === mode)) throw new InvalidRequest('The response_mode is not supported.')

  return {
    ...target,
    scopes: checkRequestedScopes(target.application, params.scope),
    codeChallenge: checkCodeChallenge(target.application, params),
    nonce,
    prompts: checkPrompt(params.prompt),
    maxAge: checkMaxAge(params.max_age),
    loginHint: params.login_hint,
    idTokenHint: params.id_token_hint
  }
}
