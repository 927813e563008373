import type { FilterQuery } from '@mikro-orm/core'
import { Namespace } from '#namespaces/namespace.ts'
import type { OwnerContext } from '#pages/namespaces/owner-context.ts'
import type { Runner, RunnerType } from '../runner.ts'
import { runnerIdsOfGroup, runnerIdsOfProject } from '../runner-store.ts'

export const typeOfOwner = { project: 'project_type', group: 'group_type', system: 'instance_type' } as const satisfies Record<
  OwnerContext['owner']['kind'],
  RunnerType
>

/** The runners that run the jobs of an owner; only its own, or those of the groups above it and of the installation, too. */
export async function scopeOf({ em, owner }: OwnerContext, { isOwnOnly = false } = {}): Promise<FilterQuery<Runner>> {
  const { kind, id } = owner

  if (kind === 'system') return { type: 'instance_type' }
  if (kind === 'project') return { id: { $in: await runnerIdsOfProject(em, id!, isOwnOnly ? 'project_type' : undefined) } }
  if (isOwnOnly) return { groupId: id }
  const { lineage } = await em.findOneOrFail(Namespace, { id: id! } as FilterQuery<Namespace>)

  return { id: { $in: await runnerIdsOfGroup(em, lineage) } }
}

/** Whether the owner manages a runner that runs its jobs. */
export function isOwn({ owner }: OwnerContext, { type, groupId }: Runner) {
  return type === typeOfOwner[owner.kind] && (owner.kind !== 'group' || groupId === owner.id)
}
