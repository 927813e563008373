import { tokenScopes } from '#identity/tokens/token-scopes.ts'

/** Scopes of OpenID Connect (Core §5.4): they show who the user is, and open no API. */
export const identityScopes = ['openid', 'profile', 'email']

/** All scopes that an application can be registered for. */
export const oauthScopes = [...tokenScopes, ...identityScopes]

/** RFC 6749 §3.3: scopes are separated by spaces. */
export function parseScopes(text: string) {
  return [...new Set(text.split(' ').filter(Boolean))]
}
