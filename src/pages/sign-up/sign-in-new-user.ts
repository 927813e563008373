import type { FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { signIn } from '#identity/sessions/sign-in.ts'
import { signInPath } from '../sign-in/return-to.ts'
import { clientOf, redirectSignedIn } from '../sign-in/sign-in.ts'

interface NewAccount {
  username: string
  password: string
}

/** Signs in who has just signed up, and leads to a page. */
export async function signInNewUser(request: FastifyRequest, reply: FastifyReply, { username, password }: NewAccount, path: string) {
  const { config } = request.server.platform
  const outcome = await signIn(request.em, config, { login: username, password }, clientOf(request), new Date())

  if (typeof outcome === 'string') return redirect(reply, signInPath(path))

  return redirectSignedIn(request, reply, outcome, path)
}
