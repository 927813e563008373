import { findTopFrame } from '#errors/events/top-frame.ts'
import { ErrorGroup } from '#errors/groups/error-group.ts'
import { titleOf } from '#errors/groups/present-group.ts'
import { findTags } from '#errors/store/tag-store.ts'
import { severityOfLevel } from '#lib/severity.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { listGroupMemberIds } from '#projects/members/assignee-group-store.ts'
import { Role } from '#projects/members/member.ts'
import { presentFacts, type Subject, timeFact } from './subject.ts'

const maxTags = 200

export async function loadErrorSubjects(em: EntityManager, ids: number[], baseUrl: string): Promise<Subject[]> {
  const groups = await em.find(ErrorGroup, { id: { $in: ids } }, { filters: { unmerged: false } })
  const tags = await findTags(em, ids, maxTags)
  const membersOf = await listGroupMemberIds(
    em,
    groups.flatMap(({ assigneeGroupId }) => assigneeGroupId ?? [])
  )
  const [only, ...others] = groups
  const topFrame = only && others.length === 0 ? await findTopFrame(em, only) : undefined

  return groups.map(group => ({
    type: 'error',
    id: group.id,
    projectId: group.projectId,
    title: titleOf(group),
    url: `${baseUrl}/projects/${group.projectId}/errors/${group.mergedInto ?? group.id}`,
    status: group.status,
    severity: severityOfLevel(group.level),
    level: group.level,
    environments: group.environments,
    releases: group.releases,
    tags: tags.get(group.id) ?? [],
    minRole: Role.developer,
    assigneeIds: group.assigneeId ? [group.assigneeId] : (membersOf.get(group.assigneeGroupId ?? 0) ?? []),
    topFrame,
    facts: factsOf(group)
  }))
}

function factsOf(group: ErrorGroup): Subject['facts'] {
  return presentFacts([
    ['Error', group.name],
    ['Where', group.actor],
    ['Level', group.level],
    ['Events', String(group.events)],
    ['People', group.users > 0 ? String(group.users) : null],
    ['Release', group.lastRelease],
    ['Environment', group.environments.join(', ')],
    timeFact('First seen', group.firstSeenAt),
    timeFact('Last seen', group.lastSeenAt)
  ])
}
