import type { FilterQuery } from '@mikro-orm/core'
import { sql } from 'kysely'
import { Forbidden, NotFound } from '#api/problems/problems.ts'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { isWithin, membershipsOf } from '#projects/visibility/memberships.ts'
import { Runner } from './runner.ts'

/** The ids of the runners of projects in which the user is a maintainer, and of groups in which they are an owner. */
export async function managedRunnerIds(em: EntityManager, user: Viewer) {
  const maintained = await membershipsOf(em, user, Role.maintainer)
  const owned = await membershipsOf(em, user, Role.owner)
  const { rows } = await sql<{ id: number }>`
    SELECT r.id FROM ci_runners r WHERE r.group_id = ANY (${owned.namespaces}::bigint[])
       OR EXISTS (SELECT FROM ci_runner_projects rp JOIN projects p ON p.id = rp.project_id WHERE rp.runner_id = r.id AND ${isWithin(maintained, 'p')})`.execute(
    em.getKysely()
  )

  return rows.map(({ id }) => id)
}

/** A runner that the user may change. Admins change all; every user sees those of the installation. */
export async function findRunner(em: EntityManager, user: Viewer, id: number, access: 'read' | 'change') {
  const runner = await em.findOne(Runner, { id } as FilterQuery<Runner>, { populate: ['creator'] })

  if (!runner) throw new NotFound('Runner')
  if (user.isAdmin || (access === 'read' && runner.type === 'instance_type')) return runner
  if (!(await managedRunnerIds(em, user)).includes(id)) throw new Forbidden('No access granted')

  return runner
}
