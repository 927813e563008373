import { Problem } from '../../http/problems/problems.ts'

/** A token that was right once, in the words of RFC 6750 §3.1. */
class InvalidToken extends Problem {
  constructor(description: string) {
    super(401, { error: 'invalid_token', error_description: description })
    this.headers['www-authenticate'] = `Bearer realm="Tocsin", error="invalid_token", error_description="${description}"`
  }
}

export class TokenExpired extends InvalidToken {
  constructor() {
    super('Token is expired. You can either do re-authorization or token refresh.')
  }
}

export class TokenRevoked extends InvalidToken {
  constructor() {
    super('Token was revoked. You have to re-authorize from the user.')
  }
}

export class ImpersonationOff extends InvalidToken {
  constructor() {
    super('Token is an impersonation token but impersonation was disabled.')
  }
}
