import { listUsers, selectUsers } from '#identity/users/list-users.ts'
import { isEmail } from '#identity/users/user-attributes.ts'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'

const maxPeople = 10

/** The people that the viewer finds by a part of the name or username, or by the e-mail address, as with `GET /users`. */
export function findPeople(em: EntityManager, viewer: Viewer, text: string) {
  return listUsers(em, selectUsers(em, viewer, { search: withoutAt(text), humans: true })).list(maxPeople)
}

/** The user whom the text names exactly: a part of a name must not give access to another user. */
export async function findPerson(em: EntityManager, viewer: Viewer, text: string) {
  const [named] = await listUsers(em, selectUsers(em, viewer, { username: withoutAt(text), humans: true })).list(1)

  if (named) return named
  const [first, second] = isEmail(text) ? await findPeople(em, viewer, text) : []

  return second ? undefined : first
}

function withoutAt(text: string) {
  return text.replace(/^@/, '')
}
