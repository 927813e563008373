import Type from 'typebox'
import { User } from '#identity/users/user.ts'
import { Nullable } from '#lib/nullable.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findGroupPaths } from '#projects/members/assignee-group-store.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { shortIdOf, titleOf } from '../groups/present-group.ts'
import { priorityName } from '../groups/priority.ts'

export const SentryIssue = Type.Object({
  id: Type.String(),
  shortId: Type.String(),
  title: Type.String(),
  culprit: Type.String(),
  level: Type.String(),
  status: Type.String(),
  statusDetails: Type.Object({}),
  platform: Type.String(),
  type: Type.String(),
  metadata: Type.Object({ type: Type.String(), value: Type.String() }),
  project: Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String() }),
  count: Type.String(),
  userCount: Type.Integer(),
  firstSeen: Type.String(),
  lastSeen: Type.String(),
  permalink: Type.String(),
  priority: Type.String(),
  assignedTo: Nullable(
    Type.Object({ type: Type.String({ description: '`user` or `team`, which is a group.' }), id: Type.String(), name: Type.String() })
  )
})

interface OfProject {
  id: number
  path: string
  name: string
}

/** Sentry calls an error an issue. */
export async function presentIssues(em: EntityManager, groups: ErrorGroup[], project: OfProject, baseUrl: string) {
  const assigneeOf = await findAssignees(em, groups)

  return groups.map(group => presentIssue(group, project, baseUrl, assigneeOf(group)))
}

async function findAssignees(em: EntityManager, groups: ErrorGroup[]) {
  const users = await em.find(User, { id: { $in: groups.flatMap(({ assigneeId }) => assigneeId ?? []) } })
  const usernames = new Map(users.map(({ id, username }) => [id, username]))
  const paths = await findGroupPaths(
    em,
    groups.flatMap(({ assigneeGroupId }) => assigneeGroupId ?? [])
  )

  return ({ assigneeId, assigneeGroupId }: ErrorGroup) => {
    if (assigneeId) return { type: 'user', id: String(assigneeId), name: usernames.get(assigneeId) ?? '' }

    return assigneeGroupId ? { type: 'team', id: String(assigneeGroupId), name: paths.get(assigneeGroupId) ?? '' } : null
  }
}

function presentIssue(
  group: ErrorGroup,
  { id, path, name }: OfProject,
  baseUrl: string,
  assignedTo: ReturnType<Awaited<ReturnType<typeof findAssignees>>>
) {
  return {
    id: String(group.id),
    shortId: shortIdOf(path, group.id),
    title: titleOf(group),
    culprit: group.actor,
    level: group.level,
    status: group.status,
    statusDetails: {},
    platform: group.platform ?? 'other',
    type: 'error',
    metadata: { type: group.name, value: group.description },
    project: { id: String(id), slug: path, name },
    count: String(group.events),
    userCount: group.users,
    firstSeen: group.firstSeenAt.toISOString(),
    lastSeen: group.lastSeenAt.toISOString(),
    permalink: `${baseUrl}/projects/${id}/errors/${group.id}`,
    priority: priorityName(group.priority),
    assignedTo
  }
}
