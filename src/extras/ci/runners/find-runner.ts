import type { FilterQuery } from '@mikro-orm/core'
import type { Viewer } from '#identity/viewer.ts'
import { Forbidden, NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Runner } from './runner.ts'
import { managedRunnerIds } from './runner-store.ts'

/** A runner that the user may change. Admins change all; every user sees those of the installation. */
export async function findRunner(em: EntityManager, user: Viewer, id: number, access: 'read' | 'change') {
  const runner = await em.findOne(Runner, { id } as FilterQuery<Runner>, { populate: ['creator'] })

  if (!runner) throw new NotFound('Runner')
  if (user.isAdmin || (access === 'read' && runner.type === 'instance_type')) return runner
  if (!(await managedRunnerIds(em, user)).includes(id)) throw new Forbidden('No access granted')

  return runner
}
