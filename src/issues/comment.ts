import { Forbidden, NotFound } from '../http/problems/problems.ts'
import type { EntityManager } from '../platform/database/database.ts'
import type { Issue } from './issue.ts'
import { IssueNote } from './issue-note.ts'
import { recordNoteActivity } from './record-issue-activity.ts'

export function addComment(em: EntityManager, issue: Issue, authorId: number, body: string) {
  return em.transactional(async em => {
    const note = em.create(IssueNote, { issueId: issue.id, authorId, body })

    await em.flush()
    await recordNoteActivity(em, issue, note)

    return note
  })
}

export async function editComment(em: EntityManager, issue: Issue, noteId: number, { userId, body }: { userId: number; body: string }) {
  const note = await findComment(em, issue, noteId)

  if (note.authorId !== userId) throw new Forbidden()
  note.body = body
  await em.flush()
}

/** Authors delete their own comments; everybody else needs `checkModerator` to pass. */
export async function deleteComment(
  em: EntityManager,
  issue: Issue,
  noteId: number,
  { userId, checkModerator }: { userId: number; checkModerator: () => Promise<unknown> }
) {
  const note = await findComment(em, issue, noteId)

  if (note.authorId !== userId) await checkModerator()
  await em.remove(note).flush()
}

/** System notes can be neither edited nor deleted. */
async function findComment(em: EntityManager, issue: Issue, noteId: number) {
  const note = await em.findOne(IssueNote, { id: noteId, issueId: issue.id, action: null })

  if (!note) throw new NotFound('Note')

  return note
}
