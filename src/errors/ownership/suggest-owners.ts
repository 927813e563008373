import type { EntityManager } from '#platform/database/database.ts'
import type { EventRow } from '../events/list-events.ts'
import { readPayload } from '../events/payload.ts'
import { ownedEvent } from './owned-event.ts'
import { findOwners, type Owner } from './owner-store.ts'
import type { ProjectOwners } from './project-owners.ts'

/** The owners of an event by the rules of its project, the first of whom new errors are assigned to. Undefined when there are none. */
export async function suggestOwners(em: EntityManager, projectId: number, { findRule }: ProjectOwners, { payload, tags }: EventRow) {
  const rule = findRule(ownedEvent(readPayload(payload), tags.map(splitTag)))
  const found = rule ? await findOwners(em, projectId, rule.owners) : new Map<string, Owner>()
  const owners = rule?.owners.flatMap(name => found.get(name.toLowerCase()) ?? []) ?? []

  return rule && owners.length > 0 ? { rule, owners } : undefined
}

function splitTag(tag: string): [name: string, value: string] {
  const end = tag.indexOf('=')

  return [tag.slice(0, end), tag.slice(end + 1)]
}
