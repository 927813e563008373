import { createHash } from 'node:crypto'
import type { Actor } from '#audit/record-audit-event.ts'
import type { IssueChanges } from '#issues/change-issue.ts'
import type { Issue } from '#issues/issue.ts'
import { type IssueRow, loadIssues } from '#issues/load-issues.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockRow } from '#platform/database/locks.ts'
import { changeIncident } from './close-incident.ts'

/** What can be edited on its own, and its value as text. */
const values = {
  title: ({ title }) => title,
  description: ({ description }) => description ?? '',
  severity: ({ severity }) => severity,
  assignees: ({ assignees }) => assignees.map(({ username }) => `@${username}`).join(', '),
  labels: ({ labels }) => labels.map(({ name }) => name).join(', '),
  milestone: ({ milestone }) => milestone?.title ?? '',
  due_date: ({ due_date: day }) => day ?? ''
} satisfies Record<string, (row: IssueRow) => string>

export type EditableField = keyof typeof values
export const editableFields = Object.keys(values) as EditableField[]

interface Edit {
  field: EditableField
  changes: IssueChanges
  /** The version of the field that its editor saw. */
  version: string
}

/**
 * Changes one field of an issue, unless another user changed it after its editor saw it. Returns false in that case:
 * the editor decides what becomes of both versions.
 */
export function editIncident(em: EntityManager, issue: Issue, { field, changes, version }: Edit, by: Actor, at: Date) {
  return em.transactional(async em => {
    await lockRow(em, 'issues', issue.id)
    const [row] = await loadIssues(em, [issue.id])

    if (row && versionOf(row, field) !== version) return false
    await changeIncident(em, issue, changes, by, at)

    return true
  })
}

/** A field's value as text. */
export function textOfField(row: IssueRow, field: EditableField) {
  return values[field](row)
}

/** Changes with the field's value. */
export function versionOf(row: IssueRow, field: EditableField) {
  return createHash('sha256')
    .update(`${field} ${values[field](row)}`)
    .digest('base64url')
    .slice(0, 16)
}
