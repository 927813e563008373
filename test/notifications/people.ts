import { aPerson } from '../projects/people.ts'
import type { openApp } from '../support/world.ts'

type World = Pick<Awaited<ReturnType<typeof openApp>>, 'platform' | 'call'>

/** A user with a confirmed address, `name@example.com`. */
export async function aPersonWithMail(world: World, name: string) {
  const person = await aPerson(world, name)

  await world.platform.pool.query(`UPDATE users SET email = username || '@example.com', confirmed_at = now() WHERE id = $1`, [person.id])

  return person
}

/** Such a user as a member of a project. */
export async function aMember(world: World, projectId: number, name: string, accessLevel = 30) {
  const person = await aPersonWithMail(world, name)

  await world.call('POST', `/projects/${projectId}/members`, { user_id: person.id, access_level: accessLevel })

  return person
}
