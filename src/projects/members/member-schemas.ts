import Type from 'typebox'
import { paging } from '#api/pagination/offset.ts'
import { Time } from '#api/parameters/time.ts'
import { problemOf } from '#api/problems/problem-of.ts'
import { type Refusal, ValidationFailed } from '#lib/refusals.ts'
import { writeTime } from '#lib/time.ts'
import { presentPerson } from '../present-project.ts'
import { AccessLevel, ById, Person } from '../schemas.ts'
import type { MemberRow } from './list-members.ts'

export const Day = Type.Optional(Type.Union([Time('The last day, such as 2030-12-31; empty for none.'), Type.Null()]))

export const MemberParams = Type.Object({ ...ById.properties, user_id: Type.Integer() })

export const MembersQuery = Type.Object({
  ...paging,
  query: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the name or username.' })),
  user_ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: 100 })),
  skip_users: Type.Optional(Type.Array(Type.Integer(), { maxItems: 100 }))
})

export const NewMemberBody = Type.Object({
  user_id: Type.Optional(Type.Union([Type.Integer(), Type.String()], { description: 'Comma-separated.' })),
  username: Type.Optional(Type.String({ description: 'Comma-separated.' })),
  access_level: AccessLevel,
  expires_at: Day
})

export const MemberBody = Type.Object({ access_level: Type.Optional(AccessLevel), expires_at: Day })

export const MemberShape = Type.Object({
  ...Person.properties,
  access_level: Type.Integer(),
  created_at: Type.String(),
  expires_at: Type.Union([Type.String(), Type.Null()]),
  membership_state: Type.String(),
  created_by: Type.Optional(Person)
})

/** The result of adding several users: by username, why one was not added. */
export const MembersAdded = Type.Object({ status: Type.String(), message: Type.Optional(Type.Record(Type.String(), Type.String())) })

export function presentFailures(failed: Record<string, Refusal>) {
  const reasons = Object.entries(failed).map(([name, refusal]) => [name, problemOf(refusal).summary()])

  return reasons.length > 0 ? { status: 'error', message: Object.fromEntries(reasons) as Record<string, string> } : { status: 'success' }
}

export function presentMember(row: MemberRow, baseUrl: string) {
  return {
    ...presentPerson(row.user, baseUrl),
    access_level: row.access_level,
    created_at: writeTime(row.created_at),
    expires_at: row.expires_at,
    membership_state: 'active',
    ...(row.creator && { created_by: presentPerson(row.creator, baseUrl) })
  }
}

/** The last day of a membership. Empty means no expiry, absent means no change. */
export function readExpiryDate(text: string | null | undefined) {
  if (!text) return text === '' ? null : text
  const day = text.slice(0, 10)

  if (day < new Date().toISOString().slice(0, 10)) throw new ValidationFailed({ expires_at: ['cannot be a date in the past'] })

  return day
}
