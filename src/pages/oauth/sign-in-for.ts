import type { FastifyReply } from 'fastify'
import type { AuthorizationRequest } from '../../oauth/authorize/authorization-request.ts'
import { signInPage } from '../sign-in/sign-in.ts'

/** The sign-in page, which leads back to the authorization request. */
export function signInFor(
  reply: FastifyReply,
  { application, loginHint }: Pick<AuthorizationRequest, 'application' | 'loginHint'>,
  query: string
) {
  return signInPage(reply, { returnTo: `/oauth/authorize?${withoutSignIn(query)}`, login: loginHint, application: application.name })
}

/** Without the parameters that ask for a sign-in, which would ask again. */
function withoutSignIn(query: string) {
  const parameters = new URLSearchParams(query)
  const prompts = (parameters.get('prompt') ?? '').split(' ').filter(prompt => prompt === 'consent')

  parameters.delete('max_age')
  parameters.delete('prompt')
  if (prompts.length > 0) parameters.set('prompt', prompts.join(' '))

  return parameters.toString()
}
