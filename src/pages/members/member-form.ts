import type { FastifyRequest } from 'fastify'
import { Role, roleName } from '#projects/members/member.ts'
import { MemberBody, readExpiryDate } from '#projects/members/member-schemas.ts'
import type { MemberSource } from '#projects/members/member-source.ts'
import { checkBody } from '../layout/check-body.ts'
import { field, selectField } from '../layout/field.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import type { Problems } from '../projects/page-context.ts'

export interface MemberForm {
  /** A name, username or e-mail address. */
  who: string
  accessLevel: number
  /** Empty for none. */
  expiresAt: string
}

export function readMemberForm(request: FastifyRequest): MemberForm {
  return formFrom(name => textOf(request, name))
}

/** As it is in the address while the user chooses among several people. */
export function readMemberQuery({ query }: FastifyRequest): MemberForm {
  return formFrom(name => String((query as Record<string, unknown>)[name] ?? '').replaceAll('\0', ''))
}

function formFrom(text: (name: string) => string): MemberForm {
  const level = Number(text('access_level') || Role.developer)

  return { who: text('who').trim().slice(0, 255), accessLevel: level, expiresAt: text('expires_at').trim() }
}

/** The attributes of a membership, if the REST API accepts them. */
export function toAttributes({ accessLevel, expiresAt }: MemberForm) {
  checkBody(MemberBody, { access_level: accessLevel, expires_at: expiresAt })

  return { accessLevel, expiresAt: readExpiryDate(expiresAt) ?? null }
}

/** The roles that the user may give, and the last day. `key` tells the forms of a page apart. */
export function roleAndExpiry(source: MemberSource, { accessLevel, expiresAt }: MemberForm, problems: Problems = {}, key = '') {
  return html`
    ${roleField(source, accessLevel, problems.access_level, key)}
    ${field({
      name: 'expires_at',
      id: `expires_at${key}`,
      type: 'date',
      label: 'Last day (optional)',
      value: expiresAt,
      error: problems.expires_at,
      attributes: { min: new Date().toISOString().slice(0, 10) }
    })}`
}

export function roleField(source: MemberSource, accessLevel: number, problem: string | undefined, key: string) {
  const levels = Object.values(Role).filter(level => level <= source.role)

  return selectField({
    name: 'access_level',
    id: `access_level${key}`,
    label: 'Role',
    value: String(Math.min(accessLevel, source.role)),
    error: problem && 'Choose one of the roles.',
    options: levels.map(level => [String(level), roleName(level)])
  })
}
