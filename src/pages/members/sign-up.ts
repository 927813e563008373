import type { FastifyReply, FastifyRequest } from 'fastify'
import { Conflict, ValidationFailed } from '#api/problems/problems.ts'
import { redirect } from '#api/redirect.ts'
import { signIn } from '#identity/sessions/sign-in.ts'
import { createUser } from '#identity/users/create-user.ts'
import { NewUserBody } from '#identity/users/user-admin-routes.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import { acceptInvitation } from '#projects/invitations/accept-invitation.ts'
import type { Invitation } from '#projects/invitations/invitation.ts'
import type { Project } from '#projects/project.ts'
import { catchRefusal } from '../layout/catch-refusal.ts'
import { checkBody } from '../layout/check-body.ts'
import { textOf } from '../layout/forms.ts'
import { validateNewPassword } from '../sign-in/password-fields.ts'
import { signInPath } from '../sign-in/return-to.ts'
import { clientOf, redirectSignedIn } from '../sign-in/sign-in.ts'
import { addressOf } from './invite-view.ts'
import { readSignUp } from './sign-up-form.ts'

/** Creates a user with the invited address, which the link confirms, and accepts for them: both, or nothing. */
export async function signUp(request: FastifyRequest, { id, email }: Invitation) {
  const form = readSignUp(request)
  const [password, at] = [textOf(request, 'password'), new Date()]
  const outcome = await catchRefusal(async () => {
    const errors = validateNewPassword(password, textOf(request, 'again'), { ...form, email })

    checkBody(NewUserBody, { ...form, email, password })
    if (errors) throw new ValidationFailed(Object.fromEntries(Object.entries(errors).map(([name, text]) => [name, [text]])))

    return request.em.transactional(async em => {
      const user = await createUser(em, { ip: request.ip }, { ...form, email, password, isConfirmed: true })
      const place = await acceptInvitation(em, id, user, { user, ip: request.ip }, at)

      if (!place) throw new Conflict('the invitation is not open any more')

      return place
    })
  })

  return { form, ...outcome }
}

export async function completeSignUp(request: FastifyRequest, reply: FastifyReply, place: Project | Namespace) {
  const { config } = request.server.platform
  const credentials = { login: readSignUp(request).username, password: textOf(request, 'password') }
  const outcome = await signIn(request.em, config, credentials, clientOf(request), new Date())

  if (typeof outcome === 'string') return redirect(reply, signInPath(addressOf(place)))

  return redirectSignedIn(request, reply, outcome, addressOf(place))
}
