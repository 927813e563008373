import { severities } from '#lib/severity.ts'
import type { ListQuery } from './list-query.ts'
import { timeProblems } from './time-range.ts'

export type FilterProblems = Partial<Record<keyof ListQuery, string>>

/** Problems of the filters, by field. */
export function filterProblems(query: ListQuery): FilterProblems {
  const problems: FilterProblems = timeProblems(query)
  const { severity, assignee, integration } = query

  if (!isSeverity(severity))
    problems.severity = `“${severity}” is not a severity. Use ${severities.join(', ')}, and add + to include worse ones.`
  if (!/^(?:|me|none|any|\d{1,15})$/.test(assignee))
    problems.assignee = `“${assignee}” is not an assignee. Use me, none, any or the id of a user.`
  if (!/^\d{0,15}$/.test(integration)) problems.integration = `“${integration}” is not the id of an integration.`

  return problems
}

export function isSeverity(text: string) {
  return text === '' || severities.some(name => text === name || text === `${name}+`)
}
