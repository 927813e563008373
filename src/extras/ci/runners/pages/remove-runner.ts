import type { FilterQuery } from '@mikro-orm/core'
import type { Actor } from '#audit/record-audit-event.ts'
import type { OwnerContext } from '#pages/namespaces/owner-context.ts'
import { Project } from '#projects/project.ts'
import { deleteRunner, unassignRunner } from '../change-runner.ts'
import type { Runner } from '../runner.ts'
import { projectIdsOf } from '../runner-store.ts'

/** A project that only uses a runner of another one ends that; the runner stays. */
export async function removeRunner({ em, owner }: OwnerContext, runner: Runner, actor: Actor) {
  const [owningId] = owner.kind === 'project' ? await projectIdsOf(em, runner.id) : []

  if (owningId === undefined || owningId === owner.id) return deleteRunner(em, runner)

  return unassignRunner(em, runner, await em.findOneOrFail(Project, { id: owner.id! } as FilterQuery<Project>), actor)
}
