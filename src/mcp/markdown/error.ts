import type { ErrorGroup } from '../../error-tracking/groups/error-group.ts'
import { presentError } from '../../error-tracking/groups/present-group.ts'
import { facts, line, sections } from './markdown.ts'

export function titleOf({ name, description }: ErrorGroup) {
  return line(description ? `${name}: ${description}` : name)
}

/** The attributes of an error, below its title. */
export function writeError(group: ErrorGroup, url?: string) {
  const error = presentError(group)

  return sections(
    `# ${titleOf(group)}`,
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
      'resolved in': error.resolved_in
    })
  )
}
