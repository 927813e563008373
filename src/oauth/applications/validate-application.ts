import { type Reasons, ValidationFailed } from '#lib/refusals.ts'
import { oauthScopes } from '../scopes.ts'
import { redirectUriProblem } from './redirect-uri.ts'

export interface ApplicationValues {
  name: string
  redirectUris: string[]
  scopes: string[]
}

export const maxNameLength = 255
const maxRedirectUris = 20

/** Whether this is a development installation or a secure one decides if `http` is allowed. */
type Security = { isSecure: boolean }

export function validateApplication({ name, redirectUris, scopes }: ApplicationValues, config: Security) {
  const problems = redirectUris.map(uri => redirectUriProblem(uri, config))
  const reasons: Reasons = {
    ...(name.trim() === '' && { name: ["can't be blank"] }),
    ...(name.length > maxNameLength && { name: [`is too long (maximum is ${maxNameLength} characters)`] }),
    ...uriReasons([...problems, redirectUris.length > maxRedirectUris && `is one of too many (maximum is ${maxRedirectUris}).`]),
    ...(scopes.length === 0 && { scopes: ["can't be blank"] }),
    ...(!scopes.every(scope => oauthScopes.includes(scope)) && { scopes: ["doesn't match configured on the server."] })
  }

  if (Object.keys(reasons).length > 0) throw new ValidationFailed(reasons)
}

function uriReasons(problems: (string | false | undefined)[]) {
  const given = [...new Set(problems.filter(problem => typeof problem === 'string'))]

  return given.length > 0 && { redirect_uri: given }
}
