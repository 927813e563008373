interface Challenge {
  error?: 'invalid_token' | 'insufficient_scope' | (string & {})
  error_description?: string
  /** The scopes that the request needs. */
  scope?: string
  /** RFC 9728 §5.1. */
  resource_metadata?: string
}

/** RFC 6750 §3: the value of `WWW-Authenticate`. */
export function bearerChallenge(challenge: Challenge) {
  const parameters = Object.entries({ realm: 'Tocsin', ...challenge }).filter(([, value]) => value !== undefined)

  return `Bearer ${parameters.map(([name, value]) => `${name}="${value}"`).join(', ')}`
}
