import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { hasSignedInRecently } from '#identity/sessions/confirm-password.ts'
import type { Form } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { loadAccount } from '../sign-in/require-sign-in.ts'
import { signInPath } from '../sign-in/return-to.ts'

export const CurrentPassword = Type.Object({ current: Type.String() })

/** Asks a signed-in user for their current password, or to sign in again if they have none. */
export async function passwordField(
  request: FastifyRequest,
  form: Form<typeof CurrentPassword>,
  { label = 'Your password', id }: { label?: string; id?: string } = {}
) {
  const { em, account } = await loadAccount(request)

  if (account.user.passwordHash) {
    return form.field('current', { label, id, type: 'password', autocomplete: 'current-password', isRequired: true })
  }
  if (await hasSignedInRecently(em, account)) return undefined
  const [path = '/'] = /^\/-\/profile\/\w+/.exec(request.url) ?? []

  return html`<p>You have no password here, so <a href="${signInPath(path)}">sign in again</a> first. That counts for 10 minutes.</p>`
}
