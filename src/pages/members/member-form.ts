import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Role, roleName } from '#projects/members/member.ts'
import { MemberBody, readExpiryDate } from '#projects/members/member-schemas.ts'
import type { MemberSource } from '#projects/members/member-source.ts'
import { Form } from '../layout/form.ts'
import { html } from '../layout/html.ts'

/** `who` is a name, username or e-mail address, `user_id` the user who was chosen among several. */
export const MemberForm = Type.Object({
  ...MemberBody.properties,
  who: Type.Optional(Type.String({ maxLength: 255 })),
  user_id: Type.Optional(Type.Integer())
})

/** As it is in the address while the user chooses among several people. */
export function memberFormIn({ query }: FastifyRequest) {
  const { who = '', access_level = Role.developer, expires_at = '' } = query as Record<string, unknown>

  return new Form(MemberForm, { who: String(who).replaceAll('\0', '').slice(0, 255), access_level, expires_at })
}

/** The attributes of a membership. */
export function toAttributes({ access_level: accessLevel = Role.developer, expires_at: lastDay }: Type.Static<typeof MemberBody>) {
  return { accessLevel, expiresAt: readExpiryDate(lastDay) ?? null }
}

/** The roles that the user may give, and the last day. `key` tells the forms of a page apart. */
export function roleAndExpiry(source: MemberSource, form: Form<typeof MemberBody>, key = '') {
  const min = new Date().toISOString().slice(0, 10)

  return html`
    ${roleField(source, form, key)}
    ${form.field('expires_at', { id: `expires_at${key}`, type: 'date', label: 'Last day (optional)', attributes: { min } })}`
}

export function roleField(source: MemberSource, form: Form<typeof MemberBody>, key: string) {
  const levels = Object.values(Role).filter(level => level <= source.role)

  return form.select('access_level', {
    id: `access_level${key}`,
    label: 'Role',
    invalid: 'Choose one of the roles.',
    options: levels.map(level => [String(level), roleName(level)])
  })
}
