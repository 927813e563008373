import Type from 'typebox'
import { findAlert } from '#alerts/find-alert.ts'
import { findError } from '#errors/groups/find-group.ts'
import { writeTime } from '#lib/time.ts'
import { listNotes, type NoteRow } from '#projects/list-notes.ts'
import { type Paging, page, paging, toList } from '../page.ts'
import { listErrorComments, presentComments } from '../present/error-comments.ts'
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
    const comments = await pages[on](context, paging, project, id)

    return toList('comments', comments, comment => writeNotes([comment]), 'No comments.')
  }
})

const pages = {
  async error({ em, viewer }: ToolContext, paging: Paging, project: string, fingerprint: number) {
    const { group } = await findError(em, viewer, { id: project, fingerprint })

    return page(paging, listErrorComments(em, group), comments => presentComments(em, comments))
  },
  async alert({ em, viewer }: ToolContext, paging: Paging, project: string, alert_iid: number) {
    const { alert } = await findAlert(em, viewer, { id: project, alert_iid })

    return page(paging, listNotes(em, 'alert', alert.id), notes => notes.map(toComment))
  },
  async incident(context: ToolContext, paging: Paging, project: string, iid: number) {
    const { issue } = await findIncident(context, project, iid)

    return page(paging, listNotes(context.em, 'issue', issue.id), notes => notes.map(toComment))
  }
}

function toComment({ author, body, created_at }: NoteRow) {
  return { author: author?.username ?? null, created_at: writeTime(created_at), body }
}
