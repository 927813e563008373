import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { listAttachmentsOf } from '#errors/events/find-attachments.ts'
import { changeFeedback, countByStatus, type FeedbackStatus } from '#errors/feedback/feedback-store.ts'
import { listFeedback } from '#errors/feedback/list-feedback.ts'
import { count, counted } from '#lib/counted.ts'
import { InvalidInput, NotFound } from '#lib/refusals.ts'
import { Role } from '#projects/members/member.ts'
import { assignableUsers } from '../errors/assignable-users.ts'
import { flash } from '../layout/flash.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { byTime, cursorPage, listAddress, pager } from '../list.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { projectPage, tabLink } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { feedbackRow } from './feedback-row.ts'

const path = '/projects/:id/feedback'
const names: Record<FeedbackStatus, string> = { open: 'Open', resolved: 'Resolved', spam: 'Spam' }
const statuses = Object.keys(names) as FeedbackStatus[]
const done: Record<FeedbackStatus, string> = {
  open: 'Feedback reopened.',
  resolved: 'Feedback resolved.',
  spam: 'Feedback marked as spam.'
}

/** What users say, about an error or about anything: answered, assigned, resolved. */
export async function feedbackPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => showFeedback(reply, await pageContext(request, Role.developer), statusIn(request)))

  app.post(`${path}/:feedback(^\\d{1,15}$)`, guard, async (request, reply) => {
    const context = await pageContext(request, Role.developer)
    const { em, project, projectUrl } = context
    const id = Number((request.params as { feedback: string }).feedback)
    const { changes, message } = readChange(request, await assignableUsers(request, context))

    if ((await changeFeedback(em, project.id, [id], changes)) === 0) throw new NotFound('Feedback')
    flash(reply, message)

    return redirect(
      reply,
      listAddress(`${projectUrl}/feedback`, { status: statusIn(request, textOf(request, 'from')) }, { status: 'open' })
    )
  })
}

/** What the buttons of a row change, and how the next page says so. */
function readChange(request: FastifyRequest, people: Map<number, string>) {
  const status = statuses.find(one => one === textOf(request, 'status'))
  const assignee = Number(textOf(request, 'assignee') || Number.NaN)

  if (status) return { changes: { status }, message: done[status] }
  if (assignee === 0) return { changes: { assigneeId: null }, message: 'Feedback unassigned.' }
  if (people.has(assignee)) return { changes: { assigneeId: assignee }, message: `Feedback assigned to @${people.get(assignee)}.` }
  if (assignee) throw new InvalidInput('assignee is not a member who can see errors')
  throw new InvalidInput(`status or assignee is missing; status is one of ${statuses.join(', ')}`)
}

function statusIn({ query }: FastifyRequest, given: unknown = (query as { status?: unknown }).status): FeedbackStatus {
  return statuses.find(status => status === given) ?? 'open'
}

async function showFeedback(reply: FastifyReply, context: PageContext, status: FeedbackStatus) {
  const { request } = reply
  const { em, project, projectUrl } = context
  const url = (changes: object) => listAddress(`${projectUrl}/feedback`, { status, ...changes }, { status: 'open' })
  const page = await cursorPage(listFeedback(em, project.id, { status }), (request.query as { cursor?: string }).cursor)
  const counts = await countByStatus(em, project.id)
  const ownIds = page.rows.flatMap(({ own_id: id }) => id ?? [])
  const files = ownIds.length > 0 ? Map.groupBy(await listAttachmentsOf(em, project.id, ownIds), ({ event_id: id }) => id) : undefined
  const view = { context, people: await assignableUsers(request, context), status, now: new Date() }

  return projectPage(
    reply,
    context,
    { title: 'Feedback', tab: 'feedback' },
    html`
    <h1>Feedback</h1>
    <nav class="tabs" aria-label="Status">${statuses.map(one => tabLink(url({ status: one }), `${names[one]} ${count(counts.get(one) ?? 0)}`, one === status))}</nav>
    ${
      page.rows.length > 0
        ? html`<ul class="rows feedback" id="feedback" aria-label="${counted(page.rows.length, 'message')}">${page.rows.map(row => feedbackRow(request, row, { ...view, files: files?.get(row.own_id) ?? [] }))}</ul>`
        : html`<div class="empty"><p>${status === 'open' ? 'No open feedback. Users give it with the feedback widget of the SDK, or when a page fails.' : 'Nothing here.'}</p><p><a class="button plain" href="${projectUrl}/setup">Setup</a></p></div>`
    }
    ${pager(page, cursor => url({ cursor }), byTime)}`
  )
}
