import type { FastifyReply } from 'fastify'
import type { AuthorizationRequest } from '#oauth/authorize/authorization-request.ts'
import { signInPage } from '../sign-in/sign-in.ts'

/** The sign-in page, which leads back to the authorization request. */
export function signInFor(reply: FastifyReply, query: string, login?: string) {
  return signInPage(reply, { returnTo: `/oauth/authorize?${query}`, login })
}

/** The query of a valid request without the parameters that ask for a sign-in, which would ask again. */
export function withoutSignIn(query: string, { prompts }: AuthorizationRequest) {
  const parameters = new URLSearchParams(query)

  parameters.delete('max_age')
  parameters.delete('prompt')
  if (prompts.includes('consent')) parameters.set('prompt', 'consent')

  return parameters.toString()
}
