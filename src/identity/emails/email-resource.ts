import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import type { UserResource } from '../user-resource.ts'
import { isEmail } from '../users/user-attributes.ts'
import { claimEmail } from './claim-email.ts'
import { requestConfirmation } from './jobs.ts'
import { UserEmail } from './user-email.ts'

const NewEmail = Type.Object({
  email: Type.String({ maxLength: 255 }),
  skip_confirmation: Type.Optional(Type.Boolean({ description: 'Admins only, for other users: treats the address as confirmed.' }))
})

/** The addresses of a user besides the primary one. */
export const emails: UserResource<UserEmail, typeof NewEmail> = {
  path: 'emails',
  name: 'Email',
  entity: UserEmail,
  body: NewEmail,
  shape: Type.Object({ id: Type.Integer(), email: Type.String(), confirmed_at: Nullable(Type.String()) }),
  isPublic: false,
  maxRows: 20,
  read({ email, skip_confirmation: isConfirmed }, { at, isAdmin }) {
    if (!isEmail(email)) throw new ValidationFailed({ email: ['is invalid'] })

    return { email, confirmedAt: isAdmin && isConfirmed ? at : null }
  },
  unique: { constraint: 'user_emails_email', attribute: 'email' },
  isAvailable: (em, { email }) => claimEmail(em, String(email)),
  added: (platform, row, at) => requestConfirmation(platform, row, at),
  removed(user, { email }) {
    if (user.publicEmail === email) user.publicEmail = ''
  },
  describe: ({ email }) => email
}
