import { writeTime } from '#lib/time.ts'
import type { EventRow } from '../events/list-events.ts'
import { readPayload } from '../events/payload.ts'
import type { ErrorGroup } from './error-group.ts'
import { priorityName } from './priority.ts'

export function presentError(group: ErrorGroup, frequency?: Record<string, [number, number][]>) {
  return {
    fingerprint: group.id,
    project_id: group.projectId,
    name: group.name,
    description: group.description,
    actor: group.actor,
    platform: group.platform ?? null,
    level: group.level,
    status: group.status,
    event_count: group.events,
    approximated_user_count: group.users,
    first_seen_at: group.firstSeenAt.toISOString(),
    last_seen_at: group.lastSeenAt.toISOString(),
    first_release: group.firstRelease ?? null,
    last_release: group.lastRelease ?? null,
    environments: group.environments,
    assignee_id: group.assigneeId ?? null,
    assignee_group_id: group.assigneeGroupId ?? null,
    priority: priorityName(group.priority),
    resolved_at: group.resolvedAt?.toISOString() ?? null,
    resolved_in: group.resolvedIn ?? null,
    is_resolved_in_next: group.isResolvedInNext,
    ignored_until: group.ignoredUntil?.toISOString() ?? null,
    ignored_until_events: group.ignoredUntilEvents ?? null,
    ignored_until_users: group.ignoredUntilUsers ?? null,
    regressed_at: group.regressedAt?.toISOString() ?? null,
    ...(frequency && { stats: { frequency } })
  }
}

export function presentEvent({ id, projectId, name, description, actor }: ErrorGroup, row: EventRow) {
  return {
    project_id: projectId,
    fingerprint: id,
    event_id: plainId(row.event_id)!,
    name,
    description,
    actor,
    platform: row.platform,
    environment: row.environment,
    release: row.release,
    level: row.level,
    occurred_at: writeTime(row.occurred_at),
    received_at: writeTime(row.received_at),
    tags: Object.fromEntries(row.tags.map(tag => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)])),
    payload: JSON.stringify(readPayload(row.payload))
  }
}

/** A UUID without dashes, as SDKs write event ids. */
export function plainId(id: string | null | undefined) {
  return id?.replaceAll('-', '') ?? null
}

/** Messages have no description of their own. */
/** `SHOP-12`, as Sentry's clients and the messages of commits name an error. */
export function shortIdOf(projectPath: string, groupId: number) {
  return `${projectPath.toUpperCase()}-${groupId}`
}

export function titleOf({ name, description }: { name: string; description: string }) {
  return description === '' || description === name ? name : `${name}: ${description}`
}
