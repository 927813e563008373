import type { FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { signIn } from '#identity/sessions/sign-in.ts'
import { createUser } from '#identity/users/create-user.ts'
import { Conflict } from '#lib/refusals.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import { acceptInvitation } from '#projects/invitations/accept-invitation.ts'
import type { Invitation } from '#projects/invitations/invitation.ts'
import type { Project } from '#projects/project.ts'
import { readForm, type SentForm } from '../layout/form.ts'
import { checkNewPassword } from '../sign-in/password-fields.ts'
import { signInPath } from '../sign-in/return-to.ts'
import { clientOf, redirectSignedIn } from '../sign-in/sign-in.ts'
import { addressOf } from './invite-view.ts'
import { SignUpForm } from './sign-up-form.ts'

/** Creates a user with the invited address, which the link confirms, and accepts for them: both, or nothing. */
export async function signUp(request: FastifyRequest, { id, email }: Invitation) {
  const form = readForm(request, SignUpForm, ['password', 'again'])
  const { name, username, password } = form.body

  checkNewPassword(form, { name, username, email })
  const saved = await form.save(() =>
    request.em.transactional(async em => {
      const user = await createUser(em, { ip: request.ip }, { name, username, email, password, isConfirmed: true })
      const place = await acceptInvitation(em, id, user, { user, ip: request.ip }, new Date())

      if (!place) throw new Conflict('the invitation is no longer open')

      return place
    })
  )

  return { form, place: saved?.result }
}

interface SignedUp {
  form: SentForm<typeof SignUpForm>
  place: Project | Namespace
}

export async function completeSignUp(request: FastifyRequest, reply: FastifyReply, { form, place }: SignedUp) {
  const { config } = request.server.platform
  const credentials = { login: form.body.username, password: form.body.password }
  const outcome = await signIn(request.em, config, credentials, clientOf(request), new Date())

  if (typeof outcome === 'string') return redirect(reply, signInPath(addressOf(place)))

  return redirectSignedIn(request, reply, outcome, addressOf(place))
}
