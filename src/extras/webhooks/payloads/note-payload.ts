import { IssueNote } from '#issues/issue-note.ts'
import { loadIssues } from '#issues/load-issues.ts'
import type { WebhookEvent } from '#outbox/outbox-entry.ts'
import type { Notice } from '../events.ts'
import { presentHookIssue } from './issue-payload.ts'
import {
  type Context,
  findActor,
  findProjectOf,
  presentActor,
  presentHookProject,
  presentRepository,
  writeHookTime
} from './users-and-projects.ts'

/** A comment on an issue. */
export async function noteNotices(context: Context, { projectId, actorId, data }: WebhookEvent): Promise<Notice[]> {
  const project = await findProjectOf(context, projectId)
  const note = await context.em.findOne(IssueNote, { id: Number(data.noteId) })
  const [issue] = note ? await loadIssues(context.em, [note.issueId]) : []

  if (!project || !note || !issue) return []
  const { baseUrl } = context
  const presented = presentHookIssue(issue, context)
  const payload = {
    object_kind: 'note',
    event_type: issue.is_confidential ? 'confidential_note' : 'note',
    user: presentActor(await findActor(context, actorId), baseUrl),
    project_id: project.id,
    project: presentHookProject(project, baseUrl),
    object_attributes: {
      id: note.id,
      internal: false,
      note: note.body,
      description: note.body,
      noteable_type: 'Issue',
      noteable_id: note.issueId,
      author_id: note.authorId,
      project_id: project.id,
      discussion_id: note.discussionId,
      type: note.isThreaded ? 'DiscussionNote' : null,
      line_code: null,
      commit_id: null,
      st_diff: null,
      system: false,
      created_at: writeHookTime(note.createdAt),
      updated_at: writeHookTime(note.updatedAt),
      action: 'create',
      url: `${presented.url}#note_${note.id}`
    },
    repository: presentRepository(project, baseUrl),
    issue: presented
  }

  return [
    issue.is_confidential
      ? { flag: 'confidential_note_events', audience: 'resource', name: 'Confidential Note Hook', payload }
      : { flag: 'note_events', audience: 'resource', name: 'Note Hook', payload }
  ]
}
