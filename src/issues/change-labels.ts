import { sql } from 'kysely'
import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { findOrCreateLabels } from '#projects/labels/find-or-create-labels.ts'
import type { Issue } from './issue.ts'
import { recordEvent } from './issue-event.ts'
import { recordNote } from './issue-note.ts'

const maxLabels = 100

/** Names; `labels` replaces all. */
export interface LabelChange {
  labels?: string[]
  add?: string[]
  remove?: string[]
}

declare module '#platform/database/database.ts' {
  interface Tables {
    issue_labels: { issue_id: number; label_id: number }
  }
}

/** Looks up and creates labels before the issue is locked: a deletion of the project locks it first and its issues after it. */
export function prepareLabels(em: EntityManager, projectId: number, { labels = [], add = [] }: LabelChange) {
  return findOrCreateLabels(em, projectId, [...new Set([...labels, ...add])])
}

/** Runs in the caller's transaction, which has locked the issue. */
export async function changeLabels(
  em: EntityManager,
  issue: Issue,
  change: LabelChange,
  ids: Map<string, number>,
  authorId: number | null
) {
  const current = await labelsOf(em, issue.id)
  const names = new Set(change.labels ?? current.keys())

  for (const name of change.add ?? []) names.add(name)
  for (const name of change.remove ?? []) names.delete(name)
  if (names.size > maxLabels) throw new ValidationFailed({ labels: [`are more than ${maxLabels}`] })
  const added = [...names].filter(name => !current.has(name))
  const removed = [...current.keys()].filter(name => !names.has(name))

  await replace(em, issue.id, {
    added: added.map(name => ids.get(name)!),
    removed: removed.map(name => current.get(name)!)
  })
  for (const name of added) recordEvent(em, issue, authorId, { kind: 'label', action: 'add', labelId: ids.get(name)! })
  for (const name of removed) recordEvent(em, issue, authorId, { kind: 'label', action: 'remove', labelId: current.get(name)! })
  if (added.length + removed.length > 0) recordNote(em, issue, authorId, 'labels', describe(added, removed))
}

async function labelsOf(em: EntityManager, issueId: number) {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('issue_labels as x')
    .innerJoin('labels as l', 'l.id', 'x.label_id')
    .select(['l.id', 'l.name'])
    .where('x.issue_id', '=', issueId)
    .execute()

  return new Map(rows.map(({ id, name }) => [name, id]))
}

async function replace(em: EntityManager, issueId: number, { added, removed }: { added: number[]; removed: number[] }) {
  const db = em.getKysely<Tables>()

  if (removed.length > 0) {
    await db.deleteFrom('issue_labels').where('issue_id', '=', issueId).where(sql<boolean>`label_id = ANY (${removed}::bigint[])`).execute()
  }
  if (added.length > 0) {
    await db
      .insertInto('issue_labels')
      .values(added.map(id => ({ issue_id: issueId, label_id: id })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
}

function describe(added: string[], removed: string[]) {
  const list = (verb: string, names: string[]) => names.length > 0 && `${verb} ${names.map(name => `~"${name}"`).join(' ')}`

  return [list('added', added), list('removed', removed)].filter(Boolean).join(' and ')
}
