import { setImmediate } from 'node:timers/promises'
import { recordAuditEvent } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Project } from '#projects/project.ts'
import { readPayload } from '../events/payload.ts'
import type { StoredEvent } from '../events/stored-event.ts'
import { ErrorGroup } from '../groups/error-group.ts'
import type { GroupChange } from '../jobs.ts'
import { ownedEvent } from './owned-event.ts'
import type { OwnerRule } from './owner-rules.ts'
import { findOwners } from './owner-store.ts'
import type { ProjectOwners } from './project-owners.ts'

/** By project; only those with rules. */
export type Ownerships = Map<number, ProjectOwners>

type GroupedEvent = StoredEvent & { groupId: number }

interface Match {
  groupId: number
  projectId: number
  rule: OwnerRule
}

/** A storm of new errors must not hold up the process. */
const maxAtOnce = 20
const system = { ip: '127.0.0.1' }

/** Assigns errors that are new or came back, and that nobody has, to their owners. The caller's transaction has locked their rows. */
export async function assignOwners(em: EntityManager, changes: GroupChange[], events: GroupedEvent[], ownerships: Ownerships) {
  const matches: Match[] = []

  for (const [n, change] of changes.entries()) {
    const match = matchOf(change, events, ownerships)

    if (match) matches.push(match)
    if (n % maxAtOnce === maxAtOnce - 1) await setImmediate()
  }

  for (const [projectId, inProject] of Map.groupBy(matches, ({ projectId }) => projectId)) await assignInProject(em, projectId, inProject)
}

function matchOf({ groupId, projectId, envelopeId }: GroupChange, events: GroupedEvent[], ownerships: Ownerships): Match | undefined {
  const owners = ownerships.get(projectId)
  const event = owners?.autoAssigns ? events.find(one => one.groupId === groupId && one.envelopeId === envelopeId) : undefined
  const rule = event && owners!.findRule(ownedEventOf(event))

  return rule && { groupId, projectId, rule }
}

/** An event that is only counted has no payload. */
function ownedEventOf({ payload, occurrence: { tags, userTags } }: StoredEvent) {
  return ownedEvent(payload.length > 0 ? readPayload(payload) : {}, [...Object.entries(userTags), ...Object.entries(tags)])
}

async function assignInProject(em: EntityManager, projectId: number, matches: Match[]) {
  const ids = matches.map(({ groupId }) => groupId)
  const unassigned = await em.find(ErrorGroup, { id: { $in: ids }, assigneeId: null, assigneeGroupId: null }, { refresh: true })
  const owners = await findOwners(
    em,
    projectId,
    matches.flatMap(({ rule }) => rule.owners)
  )

  if (owners.size === 0 || unassigned.length === 0) return
  const project = await em.findOneOrFail(Project, { id: projectId })

  for (const group of unassigned) {
    const { rule } = matches.find(({ groupId }) => groupId === group.id)!
    const owner = rule.owners.map(name => owners.get(name.toLowerCase())).find(owner => owner !== undefined)

    if (!owner) continue
    const assignee = owner.type === 'user' ? { assignee_id: owner.id } : { assignee_group_id: owner.id }

    group.assignTo(owner)
    recordAuditEvent(em, system, {
      name: 'error_updated',
      entity: project.audited(),
      target: group.auditTarget(),
      details: { fingerprint: group.id, ...assignee, rule: rule.matcher }
    })
  }
  await em.flush()
}
