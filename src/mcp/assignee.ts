import Type from 'typebox'
import { findUser } from '#identity/users/find-user.ts'
import { MissingParameters, NotFound } from '#lib/refusals.ts'
import type { ToolContext } from './tool.ts'

export const assignee = Type.Optional(
  Type.String({ maxLength: 255, description: 'Username of a member of the project, `me`, or `none` to unassign.' })
)

/** The id of the user to assign, 0 to unassign, undefined to leave the assignee as it is. */
export async function readAssignee({ em, viewer }: ToolContext, username: string | undefined) {
  if (username === undefined) return undefined
  if (username === 'me') return viewer.id
  if (username === 'none' || username === '') return 0
  const user = await findUser(em, username.replace(/^@/, ''))

  if (!user) throw new NotFound('User')

  return user.id
}

/** The same for what can have several assignees. */
export async function readAssigneeIds(context: ToolContext, username: string | undefined) {
  const id = await readAssignee(context, username)

  return id === undefined ? undefined : id === 0 ? [] : [id]
}

/** At least one of these arguments is required. */
export function requireChange(changes: Record<string, unknown>) {
  if (Object.values(changes).every(value => value === undefined)) throw new MissingParameters(...Object.keys(changes))
}
