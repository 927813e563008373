import type { FilterQuery } from '@mikro-orm/core'
import { Namespace } from '#namespaces/namespace.ts'
import type { PagePlace } from '#pages/namespaces/page-place.ts'
import type { Runner, RunnerType } from '../runner.ts'
import { runnerIdsOfGroup, runnerIdsOfProject } from '../runner-store.ts'

export const typeOfPlace = { project: 'project_type', group: 'group_type', system: 'instance_type' } as const satisfies Record<
  PagePlace['owner']['place'],
  RunnerType
>

/** The runners that run the jobs of a place; only its own, or those of the groups above it and of the installation, too. */
export async function scopeOf({ em, owner }: PagePlace, { isOwnOnly = false } = {}): Promise<FilterQuery<Runner>> {
  const { place, id } = owner

  if (place === 'system') return { type: 'instance_type' }
  if (place === 'project') return { id: { $in: await runnerIdsOfProject(em, id!, isOwnOnly ? 'project_type' : undefined) } }
  if (isOwnOnly) return { groupId: id }
  const { lineage } = await em.findOneOrFail(Namespace, { id: id! } as FilterQuery<Namespace>)

  return { id: { $in: await runnerIdsOfGroup(em, lineage) } }
}

/** Whether the place manages a runner that runs its jobs. */
export function isOwn({ owner }: PagePlace, { type, groupId }: Runner) {
  return type === typeOfPlace[owner.place] && (owner.place !== 'group' || groupId === owner.id)
}
