import { writeError } from '#errors/events/write-error.ts'
import type { ErrorGroup } from '#errors/groups/error-group.ts'
import { presentError, titleOf } from '#errors/groups/present-group.ts'
import { compact, line } from '#lib/markdown.ts'
import { type ToolContext, toResult } from '../tool.ts'

const maxEnvironments = 20

/** The error after a change. */
export async function showError({ em }: ToolContext, group: ErrorGroup) {
  await em.refresh(group)

  return toResult({ error: describeError(group) }, () => writeError(group))
}

export function describeError(group: ErrorGroup) {
  const { fingerprint, description, environments, ...rest } = presentError(group)

  return compact({
    id: fingerprint,
    ...rest,
    environments: environments.slice(0, maxEnvironments),
    description: line(description, 500)
  })
}

export function summarizeError({ id, name = '', description = '', ...error }: ReturnType<typeof describeError>) {
  const title = line(titleOf({ name, description }))

  return `- ${id}: ${title} [${error.level}, ${error.status}, ${error.event_count} events, ${error.approximated_user_count} users, last seen ${error.last_seen_at}]`
}
