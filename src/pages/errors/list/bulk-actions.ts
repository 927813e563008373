import type { FastifyInstance, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import type { GroupChanges } from '#errors/groups/change-group.ts'
import { changeMatching, changeSelected } from '#errors/groups/change-groups.ts'
import { ErrorGroup, type Status } from '#errors/groups/error-group.ts'
import { priorities } from '#errors/groups/priority.ts'
import { mergeBiggest, mergeMatching } from '#errors/merge/merge-selection.ts'
import { startMoves } from '#errors/merge/start-moves.ts'
import { readSearch } from '#errors/search/read-search.ts'
import { searchContext } from '#errors/search/search-context.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { attempt, inOneText } from '#pages/layout/attempt.ts'
import { flash, type Link, type Undo } from '#pages/layout/flash.ts'
import { textOf } from '#pages/layout/forms.ts'
import { type PageContext, pageContext } from '#pages/projects/page-context.ts'
import { selectedIds } from '#pages/projects/selection.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { taskLink } from '#pages/tasks/task-section.ts'
import { Role } from '#projects/members/member.ts'
import { listUrl, readListQuery } from './list-query.ts'

const maxUndone = 100

/** Changes the selected errors, or all that match the search. */
export async function bulkActions(app: FastifyInstance) {
  app.post('/projects/:id/errors/bulk', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await pageContext(request, Role.developer)
    const undo = await undoOf(request, context)
    const { result, problems } = await attempt(() =>
      textOf(request, 'change') === 'merge' ? merge(request, context) : applyChange(request, context)
    )

    if (problems) flash(reply, inOneText(problems))
    else flash(reply, result.text, undo, result.link)

    return redirect(reply, listUrl(context, readListQuery(request.body)))
  })
}

const changes: Record<string, (request: FastifyRequest) => GroupChanges> = {
  resolve: () => ({ status: 'resolved' }),
  ignore: () => ({ status: 'ignored' }),
  reopen: () => ({ status: 'unresolved' }),
  assign: request => ({ assignee_id: request.user.id }),
  assign_to: request => readAssignee(textOf(request, 'assign_to')),
  prioritize: request => ({ priority: priorities.find(priority => priority === textOf(request, 'priority')) })
}

/** The id of a user, or `group-` and that of a group. */
function readAssignee(text: string): GroupChanges {
  const [, groupId] = /^group-(\d{1,15})$/.exec(text) ?? []

  return groupId ? { assignee_group_id: Number(groupId) } : { assignee_id: Number.parseInt(text, 10) || null }
}

const names: Record<Status, keyof typeof verbs> = { resolved: 'resolve', ignored: 'ignore', unresolved: 'reopen' }
const verbs = {
  resolve: 'resolved',
  ignore: 'ignored',
  reopen: 'reopened',
  assign: 'assigned',
  assign_to: 'changed',
  prioritize: 'changed'
}

/** Returns the selected errors to the status that all of them have before the change. */
async function undoOf(request: FastifyRequest, { em, project, projectUrl }: PageContext): Promise<Undo | undefined> {
  const { status } = changes[textOf(request, 'change')]?.(request) ?? {}
  const ids = selectedIds(request)

  if (!status || textOf(request, 'all') || ids.length > maxUndone) return undefined
  const groups = await em.fork().find(ErrorGroup, { id: { $in: ids }, projectId: project.id, status: { $ne: status } })
  const [before, ...others] = new Set(groups.map(({ status }): Status => status))

  if (!before || others.length > 0) return undefined
  const { cursor = '', ...query } = readListQuery(request.body)
  const fields = [...Object.entries({ ...query, cursor }), ['change', names[before]], ...groups.map(({ id }) => ['id', String(id)])]

  return { action: `${projectUrl}/errors/bulk`, fields: fields as Undo['fields'] }
}

interface Message {
  text: string
  link?: Link
}

async function applyChange(request: FastifyRequest, context: PageContext): Promise<Message> {
  const { em, project, admin } = context
  const change = changes[textOf(request, 'change')]?.(request)
  const verb = verbs[textOf(request, 'change') as keyof typeof verbs]
  const filter = await searchedFilter(request, context)
  const now = new Date()

  if (change && filter) {
    const outcome = await changeMatching(em, request.server.platform, { project, filter, changes: change }, admin.actor, now)

    return 'task' in outcome
      ? { text: `${outcome.task.title} in the background.`, link: taskLink }
      : { text: `${inWords(outcome.changed)} ${verb}.` }
  }
  const ids = selectedIds(request)

  if (ids.length === 0 || !change) throw new ValidationFailed({ id: ['select at least one error'] })
  const { changed, missing } = await changeSelected(em, project, ids, change, admin.actor, now)

  return { text: `${inWords(changed)} ${verb}.${missing > 0 ? ` ${inWords(missing)} not found.` : ''}` }
}

async function merge(request: FastifyRequest, context: PageContext): Promise<Message> {
  const { em, project, admin } = context
  const filter = await searchedFilter(request, context)
  const { merged, moves } = filter
    ? await mergeMatching(em, project, filter, admin.actor)
    : await mergeBiggest(em, project, selectedIds(request), admin.actor)

  await startMoves(request.server.platform, moves)

  return { text: `${inWords(merged)} merged.` }
}

/** The filter of the search, when the change is for all that match it. */
async function searchedFilter(request: FastifyRequest, { project }: PageContext) {
  if (!textOf(request, 'all')) return undefined

  return readSearch(
    readListQuery(request.body).query,
    searchContext(request.em, { viewer: request.user, projectId: project.id }, new Date())
  )
}

function inWords(count: number) {
  return count === 1 ? '1 error was' : `${count} errors were`
}
