import Type from 'typebox'
import { findEvent } from '#errors/events/list-events.ts'
import { writeError } from '#errors/events/write-error.ts'
import { digestEvent, writeEvent } from '#errors/events/write-event.ts'
import { statuses } from '#errors/groups/error-group.ts'
import { findError } from '#errors/groups/find-group.ts'
import { ErrorsQuery } from '#errors/groups/group-schemas.ts'
import { listGroups } from '#errors/groups/list-groups.ts'
import { statusOrDefault } from '#errors/search/default-status.ts'
import { readSearch } from '#errors/search/read-search.ts'
import { restrict } from '#errors/search/restrict.ts'
import { searchContext } from '#errors/search/search-context.ts'
import { findMonitoredProject } from '#errors/settings/find-monitored-project.ts'
import { section, sections } from '#lib/markdown.ts'
import { Role } from '#projects/members/member.ts'
import { readAssignee } from '../assignee.ts'
import { page, paging, toList } from '../page.ts'
import { describeError, summarizeError } from '../present/error.ts'
import { latestComments } from '../present/error-comments.ts'
import { bodyLimit, writeNotes } from '../present/notes.ts'
import { tag } from '../tag.ts'
import { defineTool, project, toResult } from '../tool.ts'

const { query, environment, release, level } = ErrorsQuery.properties
const assignee = Type.Optional(Type.String({ maxLength: 255, description: 'Username, `me`, or `none`.' }))

export const errorId = Type.Integer({ description: 'Id of the error, from `list_errors`; the API calls it fingerprint.' })

/** The digest of an event never has all of it. */
export const restOfEvent = 'get_event with part has the stack trace, request, tags, breadcrumbs, contexts and extra data in full.'

export const listErrors = defineTool({
  name: 'list_errors',
  title: 'List errors',
  description:
    'Lists the errors of a project: exceptions and messages of its applications, grouped by cause. Unresolved ones, last seen first, by default.',
  input: {
    ...project,
    status: Type.Optional(Type.Enum([...statuses, 'all'], { description: '`unresolved` by default, unless `query` names a status.' })),
    ...{ query, environment, release, level, tag, assignee },
    sort: Type.Optional(
      Type.Enum(['last_seen', 'first_seen', 'event_count', 'user_count', 'priority'], {
        description: 'Descending; `last_seen` by default.'
      })
    ),
    ...paging
  },
  async run(context, { project, status, sort = 'last_seen', query, tag, assignee, cursor, limit, ...filter }) {
    const { em, viewer } = context
    const { id: projectId } = await findMonitoredProject(em, viewer, project, Role.developer)
    const search = await readSearch(query ?? '', searchContext(em, { viewer, projectId }, new Date()))
    const matching = restrict(search, {
      ...filter,
      status: statusOrDefault(status, search),
      assignee: await readAssignee(context, assignee),
      tags: tag === undefined ? undefined : [tag],
      firstSeen: {},
      lastSeen: {}
    })
    const errors = await page({ cursor, limit }, listGroups(em, projectId, matching, sort), groups => groups.map(describeError))

    return toList('errors', errors, summarizeError, 'No errors match.')
  }
})

export const getError = defineTool({
  name: 'get_error',
  title: 'Get an error with its stack trace',
  description: 'Gets an error with the stack trace, the request and the breadcrumbs of its latest event, and the comments on it.',
  input: { ...project, error_id: errorId },
  async run(context, { project, error_id }) {
    const { group } = await findError(context.em, context.viewer, { id: project, fingerprint: error_id })
    const row = await findEvent(context.em, group, 'latest')
    const data = { error: describeError(group), latest_event: row ? digestEvent(row) : null, ...(await latestComments(context.em, group)) }

    return toResult(
      { ...data, more: restOfEvent },
      ({ latest_event: event, comments, earlier_comments, more }) =>
        sections(
          writeError(group),
          event ? writeEvent(event) : 'No event of this error is stored anymore.',
          section('Comments', writeNotes(comments)),
          earlier_comments && `Earlier comments: ${earlier_comments}`,
          more
        ),
      { limits: bodyLimit, rest: 'list_comments has comments in full.' }
    )
  }
})
