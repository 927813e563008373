import type { OAuthError } from '../errors.ts'
import type { RedirectTarget } from './redirect-target.ts'

export type ResponseParameters = Record<string, string>

/** RFC 6749 §4.1.2. `iss` tells the client which server answered, against mix-up (RFC 9207). */
export function codeResponse({ state }: RedirectTarget, issuer: string, code: string): ResponseParameters {
  return { code, ...(state !== undefined && { state }), iss: issuer }
}

/** RFC 6749 §4.1.2.1. */
export function errorResponse({ state }: RedirectTarget, issuer: string, { code, description }: OAuthError): ResponseParameters {
  return { error: code, error_description: description, ...(state !== undefined && { state }), iss: issuer }
}

/** The redirect URI stays as it was registered, with its own query (RFC 6749 §3.1.2). */
export function responseUrl({ redirectUri, responseMode }: RedirectTarget, parameters: ResponseParameters) {
  const text = new URLSearchParams(parameters).toString()

  if (responseMode === 'fragment') return `${redirectUri}#${text}`

  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${text}`
}
