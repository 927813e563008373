import type { FastifyReply, FastifyRequest } from 'fastify'
import { createUser } from '#identity/users/create-user.ts'
import { Conflict } from '#lib/refusals.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import { acceptInvitation } from '#projects/invitations/accept-invitation.ts'
import type { Invitation } from '#projects/invitations/invitation.ts'
import type { Project } from '#projects/project.ts'
import { readForm, type SentForm } from '../layout/form.ts'
import { checkNewPassword } from '../sign-in/password-fields.ts'
import { AccountForm } from '../sign-up/account-fields.ts'
import { signInNewUser } from '../sign-up/sign-in-new-user.ts'
import { addressOf } from './invite-view.ts'

/** Creates a user with the invited address, which the link confirms, and accepts for them: both, or nothing. */
export async function signUp(request: FastifyRequest, { id, email }: Invitation) {
  const form = readForm(request, AccountForm, ['password', 'again'])
  const { name, username, password } = form.body

  checkNewPassword(form, { name, username, email })
  const saved = await form.save(() =>
    request.em.transactional(async em => {
      const user = await createUser(em, { ip: request.ip }, { name, username, email, password, isConfirmed: true })
      const source = await acceptInvitation(em, id, user, { user, ip: request.ip }, new Date())

      if (!source) throw new Conflict('the invitation is no longer open')

      return source
    })
  )

  return { form, source: saved?.result }
}

interface SignedUp {
  form: SentForm<typeof AccountForm>
  source: Project | Namespace
}

export function completeSignUp(request: FastifyRequest, reply: FastifyReply, { form, source }: SignedUp) {
  return signInNewUser(request, reply, form.body, addressOf(source))
}
