import type { FastifyRequest } from 'fastify'
import type { IssueType } from '#issues/issue.ts'
import type { IssueFilter } from '#issues/lists/issue-filter.ts'
import { type IssueSort, issueSorts } from '#issues/lists/list-issues.ts'
import { type Severity, severities } from '#lib/severity.ts'
import { listAddress } from '../list.ts'

export const states = ['opened', 'closed', 'all'] as const

export interface ListQuery {
  state: (typeof states)[number]
  search: string
  severity: Severity | ''
  /** A username, `me`, `none`, or empty for all. */
  assignee: string
  label: string
  /** Empty for the default of the type and state. */
  sort: IssueSort | ''
  cursor: string
}

const defaults: ListQuery = { state: 'opened', search: '', severity: '', assignee: '', label: '', sort: '', cursor: '' }
const maxText = 200

/** Unknown values are replaced by the defaults. */
export function readListQuery(request: FastifyRequest, type: IssueType): ListQuery {
  const given = request.query as Record<string, string | undefined>
  const text = (name: string) =>
    String(given[name] ?? '')
      .replaceAll('\0', '')
      .trim()
      .slice(0, maxText)
  const state = states.find(state => state === given.state) ?? defaults.state

  return {
    state,
    search: text('search'),
    severity: severities.find(severity => severity === given.severity) ?? '',
    assignee: text('assignee').replace(/^@/, ''),
    label: text('label'),
    sort: Object.hasOwn(issueSorts, given.sort ?? '') && given.sort !== defaultSort(type, state) ? (given.sort as IssueSort) : '',
    cursor: String(given.cursor ?? '')
  }
}

/** Whether the list shows less than all issues of a state. */
export function isFiltered({ search, severity, assignee, label }: ListQuery) {
  return Boolean(search || severity || assignee || label)
}

/** Open incidents are listed by severity, which issues do not have. */
function defaultSort(type: IssueType, state: ListQuery['state']): IssueSort {
  return type === 'incident' && state === 'opened' ? 'severity' : 'newest'
}

export function sortOf({ sort, state }: ListQuery, type: IssueType) {
  return sort || defaultSort(type, state)
}

export function listUrl(path: string, query: Partial<ListQuery>) {
  return listAddress(path, query, defaults)
}

export function toFilter(request: FastifyRequest, projectIds: number[], issueType: IssueType, query: ListQuery): IssueFilter {
  const { state, search, severity, assignee, label } = query

  return {
    ...(projectIds.length === 1 ? { projectId: projectIds[0] } : { projectIds }),
    issueType,
    state: state === 'all' ? undefined : state,
    search: search || undefined,
    severity: severity || undefined,
    labels: label ? [label] : undefined,
    ...(assignee === 'me'
      ? { assigneeId: request.user.id }
      : assignee === 'none'
        ? { assigneeId: 'None' as const }
        : { assigneeUsername: assignee || undefined })
  }
}
