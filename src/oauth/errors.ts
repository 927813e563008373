import { bearerChallenge } from '#api/problems/bearer-challenge.ts'
import { Problem } from '#api/problems/problems.ts'

/** An error response of the OAuth endpoints (RFC 6749 §5.2): `error` is a code, `error_description` a sentence for developers. */
export class OAuthError extends Problem {
  code: string
  description: string

  constructor(status: number, code: string, description: string) {
    super(status, { error: code, error_description: description })
    this.code = code
    this.description = description
    // RFC 9110 §15.5.2. Not on a 400: clients take a challenge for a refused token, and miss the body.
    if (status === 401) this.headers['www-authenticate'] = bearerChallenge({ error: code, error_description: description })
  }
}

/** A class of errors that always say the same. */
function errorOf(status: number, code: string, description: string) {
  return class extends OAuthError {
    constructor() {
      super(status, code, description)
    }
  }
}

export class InvalidRequest extends OAuthError {
  constructor(description: string) {
    super(400, 'invalid_request', description)
  }
}

export class MissingParameter extends InvalidRequest {
  constructor(name: string) {
    super(`Missing required parameter: ${name}.`)
  }
}

const badClient = 'unknown client, no client authentication included, or unsupported authentication method'

/** RFC 6749 §5.2: the challenge names the scheme that the client used. */
export class InvalidClient extends OAuthError {
  constructor(scheme: 'Basic' | 'Bearer' = 'Bearer') {
    super(401, 'invalid_client', `Client authentication failed due to ${badClient}.`)
    if (scheme === 'Basic') this.headers['www-authenticate'] = 'Basic realm="Tocsin"'
  }
}

export class UnauthorizedClient extends errorOf(
  401,
  'unauthorized_client',
  'The client is not authorized to perform this request using this method.'
) {}

/** RFC 7009 §2.1: only the client that a token was issued to may revoke it. */
export class RevocationDenied extends errorOf(403, 'unauthorized_client', 'You are not authorized to revoke this token') {}

export class InvalidGrant extends errorOf(
  400,
  'invalid_grant',
  'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.'
) {}

export class InvalidScope extends errorOf(400, 'invalid_scope', 'The requested scope is invalid, unknown, or malformed.') {}

/** RFC 6749 §3.3: the scope exceeds what this user can grant. */
export class AdminScope extends OAuthError {
  constructor(scopes: string[]) {
    super(400, 'invalid_scope', `Only an administrator can grant ${scopes.join(', ')}.`)
  }
}

export class UnsupportedGrantType extends errorOf(
  400,
  'unsupported_grant_type',
  'The authorization grant type is not supported by the authorization server.'
) {}

export class UnsupportedResponseType extends errorOf(
  400,
  'unsupported_response_type',
  'The authorization server does not support this response type.'
) {}

/** RFC 7636 §4.4.1. The code is Doorkeeper's. */
export class InvalidCodeChallengeMethod extends errorOf(400, 'invalid_code_challenge_method', 'The code_challenge_method must be S256.') {}

export class AccessDenied extends errorOf(400, 'access_denied', 'The resource owner or authorization server denied the request.') {}

/** Rendered as a page: the answer must not go to this address. */
export class InvalidRedirectUri extends OAuthError {
  constructor(description = 'The redirect URI is missing, or not registered for this client.') {
    super(400, 'invalid_redirect_uri', description)
  }
}

/** OpenID Connect Core §3.1.2.6: `prompt=none` was requested, and the user has to sign in. */
export class LoginRequired extends errorOf(400, 'login_required', 'The authorization server requires end-user authentication.') {}

/** OpenID Connect Core §3.1.2.6: `prompt=none` was requested, and the user has to consent. */
export class ConsentRequired extends errorOf(400, 'consent_required', 'The authorization server requires end-user consent.') {}

/** OpenID Connect Core §6 and §7.2.1: a parameter of an optional part that is not offered. */
export class ParameterNotSupported extends OAuthError {
  constructor(name: 'request' | 'request_uri' | 'registration') {
    super(400, `${name}_not_supported`, `The parameter ${name} is not supported.`)
  }
}

/** RFC 6750 §3.1. The body has the members of Doorkeeper's. */
export class InvalidAccessToken extends OAuthError {
  constructor(what: 'is invalid' | 'expired' | 'was revoked') {
    super(401, 'invalid_token', `The access token ${what}`)
    Object.assign(this.body, { state: 'unauthorized' })
  }
}

/** RFC 7591 §3.2.2. */
export class InvalidClientMetadata extends OAuthError {
  constructor(description: string) {
    super(400, 'invalid_client_metadata', description)
  }
}

export class TooManyApplications extends errorOf(
  503,
  'temporarily_unavailable',
  'Too many applications registered themselves. Unused ones are deleted after a day.'
) {}
