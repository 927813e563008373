import Type from 'typebox'
import { Comment } from '../../error-tracking/comments/comment.ts'
import { findEvent } from '../../error-tracking/events/list-events.ts'
import { type ErrorGroup, statuses } from '../../error-tracking/groups/error-group.ts'
import { findError } from '../../error-tracking/groups/find-group.ts'
import { sorts } from '../../error-tracking/groups/group-filter.ts'
import { ErrorsQuery } from '../../error-tracking/groups/group-schemas.ts'
import { listGroups } from '../../error-tracking/groups/list-groups.ts'
import { presentError } from '../../error-tracking/groups/present-group.ts'
import { findMonitoredProject } from '../../error-tracking/settings/find-monitored-project.ts'
import { Role } from '../../projects/members/member.ts'
import { titleOf, writeError } from '../markdown/error.ts'
import { presentEvent } from '../markdown/event.ts'
import { codeBlock, compact, line, section, sections } from '../markdown/markdown.ts'
import { defineTool, page, paging, project, type ToolContext } from '../tool.ts'

const maxComments = 10
const { query, environment, release, level } = ErrorsQuery.properties

export const errorId = Type.Integer({ description: 'Id of the error, from `list_errors`; the API calls it fingerprint.' })

export const listErrors = defineTool({
  name: 'list_errors',
  title: 'List errors',
  description:
    'Lists the errors of a project: exceptions and messages of its applications, grouped by cause. Unresolved ones, last seen first, by default.',
  input: Type.Object({
    ...project,
    status: Type.Optional(Type.Enum([...statuses, 'all'], { description: '`unresolved` by default.' })),
    ...{ query, environment, release, level },
    sort: Type.Optional(
      Type.Enum(['last_seen', 'first_seen', 'event_count', 'user_count'], { description: 'Descending; `last_seen` by default.' })
    ),
    ...paging
  }),
  async run({ em, viewer }, { project, status = 'unresolved', sort = 'last_seen', cursor, limit, ...filter }) {
    const { id: projectId } = await findMonitoredProject(em, viewer, project, Role.developer)
    const { column, kind } = sorts[sort]
    const matching = { ...filter, status: status === 'all' ? undefined : status, firstSeen: {}, lastSeen: {} }
    const { rows, next_cursor } = await page<ErrorGroup, [string | number, number]>(
      { cursor, limit },
      {
        shape: [kind, 'id'],
        positionOf: group => [group[column] instanceof Date ? group[column].toISOString() : group[column], group.id],
        list: (after, limit) => listGroups(em, projectId, matching, { column, isAscending: false, after, limit })
      }
    )

    return { text: rows.map(summarize).join('\n') || 'No errors match.', data: { errors: rows.map(describe), next_cursor } }
  }
})

export const getError = defineTool({
  name: 'get_error',
  title: 'Get an error with its stack trace',
  description: 'Gets an error with the stack trace, the request and the breadcrumbs of its latest event, and the comments on it.',
  input: Type.Object({ ...project, error_id: errorId }),
  async run(context, { project, error_id }) {
    const { group } = await findError(context.em, context.viewer, { id: project, fingerprint: error_id })
    const row = await findEvent(context.em, group, 'latest')
    const event = row && presentEvent(row)
    const comments = await context.em.find(Comment, { groupId: group.id }, { orderBy: { id: 'desc' }, limit: maxComments })
    const written = comments
      .reverse()
      .map(({ body, authorId, createdAt }) => ({ author_id: authorId, created_at: createdAt.toISOString(), body }))

    return {
      text: sections(
        writeError(group),
        event?.text ?? 'No event of this error is stored anymore.',
        section('Comments', writeComments(written))
      ),
      data: { error: describe(group), latest_event: event?.data ?? null, comments: written }
    }
  }
})

/** The error after a change. */
export async function showError({ em }: ToolContext, group: ErrorGroup) {
  await em.refresh(group)

  return { text: writeError(group), data: { error: describe(group) } }
}

function describe(group: ErrorGroup) {
  const { fingerprint, description, ...rest } = presentError(group)

  return compact({ id: fingerprint, ...rest, description: line(description, 1000) })
}

function summarize(group: ErrorGroup) {
  const { id, level, status, events, users, lastSeenAt } = group

  return `- ${id}: ${titleOf(group)} [${level}, ${status}, ${events} events, ${users} users, last seen ${lastSeenAt.toISOString()}]`
}

function writeComments(comments: { created_at: string; body: string }[]) {
  return comments.map(({ created_at, body }) => `${created_at}:\n${codeBlock(body)}`).join('\n\n') || undefined
}
