import Type from 'typebox'
import { findAlert } from '#alerts/find-alert.ts'
import { writeTime } from '#api/parameters/time.ts'
import { findError } from '#errors/groups/find-group.ts'
import { listNotes, type NoteRow } from '#projects/list-notes.ts'
import { page, paging, toList } from '../page.ts'
import { listErrorComments } from '../present/error-comments.ts'
import { writeNotes } from '../present/notes.ts'
import { defineTool, project, type ToolContext } from '../tool.ts'
import { findIncident } from './incidents.ts'

export const listComments = defineTool({
  name: 'list_comments',
  title: 'List comments',
  description: 'Lists the comments on an error, or the comments and system notes of an alert or an incident, in full, oldest first.',
  input: {
    ...project,
    on: Type.Enum(['error', 'alert', 'incident']),
    id: Type.Integer({ description: 'The `error_id`, `alert_iid` or `incident_iid`.' }),
    ...paging
  },
  async run(context, { project, on, id, ...paging }) {
    const list = await finders[on](context, project, id)
    const comments = await page(paging, {
      shape: ['id'],
      positionOf: ({ id }: ListedComment): [number] => [id],
      list: (after, limit) => list(after?.[0] ?? 0, limit),
      present: rows => rows.map(({ id, ...comment }) => comment)
    })

    return toList('comments', comments, comment => writeNotes([comment]), 'No comments.')
  }
})

interface ListedComment {
  id: number
  author: string | null
  created_at: string
  body: string
}

type Finder = (context: ToolContext, project: string, id: number) => Promise<(after: number, limit: number) => Promise<ListedComment[]>>

const finders: Record<'error' | 'alert' | 'incident', Finder> = {
  async error({ em, viewer }, project, fingerprint) {
    const { group } = await findError(em, viewer, { id: project, fingerprint })

    return (after, limit) => listErrorComments(em, group, after, limit)
  },
  async alert({ em, viewer }, project, alert_iid) {
    const { alert } = await findAlert(em, viewer, { id: project, alert_iid })

    return async (after, limit) => (await listNotes(em, 'alert', alert.id, { after }).list(limit)).map(toComment)
  },
  async incident(context, project, iid) {
    const { issue } = await findIncident(context, project, iid)

    return async (after, limit) => (await listNotes(context.em, 'issue', issue.id, { after }).list(limit)).map(toComment)
  }
}

function toComment({ id, author, body, created_at }: NoteRow): ListedComment {
  return { id, author: author?.username ?? null, created_at: writeTime(created_at), body }
}
