import type { Actor } from '#audit/record-audit-event.ts'
import { NotFound, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { lockRow } from '#platform/database/locks.ts'
import type { Issue } from './issue.ts'
import { IssueNote } from './issue-note.ts'
import { recordNoteActivity } from './record-issue-activity.ts'

type Options = Partial<Pick<IssueNote, 'discussionId' | 'isThreaded' | 'incidentStatus'>>

/** A threaded comment starts a discussion; one with a status is a status update of an incident. */
export function addComment(em: EntityManager, issue: Issue, by: Actor, body: string, options: Options = {}) {
  if (options.incidentStatus && issue.issueType !== 'incident') throw new ValidationFailed({ incident_status: ['is only for incidents'] })

  return em.transactional(async em => {
    const note = em.create(IssueNote, { issueId: issue.id, authorId: by.user?.id ?? null, body, ...options })

    await em.flush()
    await recordNoteActivity(em, issue, note, by)

    return note
  })
}

const maxReplies = 500

/** A comment that is replied to becomes a thread. System notes have no replies. */
export function replyTo(em: EntityManager, issue: Issue, discussionId: string, { by, body }: { by: Actor; body: string }) {
  return em.transactional(async em => {
    await lockRow(em, 'issues', issue.id)
    const thread = { issueId: issue.id, discussionId, action: null }
    const replies = await em.count(IssueNote, thread)

    if (replies === 0) throw new NotFound('Discussion')
    if (replies >= maxReplies) throw new ValidationFailed({ base: [`A discussion can have at most ${maxReplies} notes`] })
    await em.nativeUpdate(IssueNote, { ...thread, isThreaded: false }, { isThreaded: true })

    return addComment(em, issue, by, body, { discussionId, isThreaded: true })
  })
}

interface Change {
  by: Actor
  /** Authors change their own comments; everybody else needs this to pass. */
  checkModerator: () => Promise<unknown>
}

interface Edit extends Change {
  body: string
  /** `updatedAt` of the comment that its editor saw. */
  version?: string
}

/** Edits a comment, unless it was edited after its editor saw it: then it stays, and its text is returned. */
export function editComment(em: EntityManager, issue: Issue, noteId: number, { body, version, by, checkModerator }: Edit) {
  return em.transactional(async em => {
    const note = await findComment(em, issue, noteId)

    if (note.authorId !== by.user?.id) await checkModerator()
    await lockForChange(em, note)
    if (version !== undefined && version !== note.updatedAt.toISOString()) return note.body
    note.body = body

    return undefined
  })
}

export async function deleteComment(em: EntityManager, issue: Issue, noteId: number, { by, checkModerator }: Change) {
  await em.transactional(async em => {
    const note = await findComment(em, issue, noteId)

    if (note.authorId !== by.user?.id) await checkModerator()
    await lockForChange(em, note)
    em.remove(note)
  })
}

/** System notes can be neither edited nor deleted. */
async function findComment(em: EntityManager, issue: Issue, noteId: number) {
  const note = await em.findOne(IssueNote, { id: noteId, issueId: issue.id, action: null })

  if (!note) throw new NotFound('Note')

  return note
}
