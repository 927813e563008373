import { facts, line, sections } from '#lib/markdown.ts'
import type { ErrorGroup } from '../groups/error-group.ts'
import { presentError, titleOf } from '../groups/present-group.ts'

/** The attributes of an error, below its title. */
export function writeError(group: ErrorGroup, url?: string) {
  const error = presentError(group)

  return sections(
    `# ${line(titleOf(group))}`,
    facts({
      url,
      id: error.fingerprint,
      status: error.status,
      level: error.level,
      culprit: error.actor,
      platform: error.platform,
      events: error.event_count,
      users: error.approximated_user_count,
      'first seen': error.first_seen_at,
      'last seen': error.last_seen_at,
      'first release': error.first_release,
      'last release': error.last_release,
      environments: error.environments,
      'assignee id': error.assignee_id,
      'assignee group id': error.assignee_group_id,
      priority: error.priority,
      'resolved in': error.resolved_in
    })
  )
}
