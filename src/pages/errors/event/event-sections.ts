import type { FastifyRequest } from 'fastify'
import { listAttachments } from '#errors/events/find-attachments.ts'
import type { EventRow } from '#errors/events/list-events.ts'
import type { Frame } from '#errors/events/stack-trace.ts'
import { listEventFeedback } from '#errors/feedback/list-feedback.ts'
import { plainId } from '#errors/groups/present-group.ts'
import { explainScripts, scriptOf } from '#errors/source-maps/resolve/explain-scripts.ts'
import { byteSize } from '#lib/counted.ts'
import type { Json } from '#lib/json.ts'
import { html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import type { ErrorContext } from '../error-context.ts'
import { breadcrumbsSection } from './breadcrumbs.ts'
import { contextsSection, userSection } from './contexts.ts'
import { frameCode, noCode } from './frame-code.ts'
import { requestSection } from './request.ts'
import { section } from './section.ts'
import { hasRawFrames, shownSources, stackTraceSection } from './stack-trace.ts'
import { unmappedView } from './unmapped.ts'

/** Everything that an event contains, the stack trace first. */
export async function eventSections(request: FastifyRequest, context: ErrorContext, row: EventRow, event: Json) {
  const isRaw = (request.query as { code?: string }).code === 'minified'
  const toggleUrl = hasRawFrames(event) ? (isRaw ? '?' : '?code=minified') : undefined
  const sources = shownSources(event, isRaw)
  const scripts = isRaw ? new Map() : await explainScripts(context.em, context.group.projectId, event, sources)
  const code = isRaw ? noCode : await frameCode(request, context, row, sources)
  const explain = (frame: Frame) => {
    const script = frame.raw === null ? scripts.get(scriptOf(frame)) : undefined

    return script && unmappedView(script)
  }

  return html`
    ${messageSection(event)}
    ${stackTraceSection(sources, { isRaw, toggleUrl, explain, code })}
    ${await feedbackSection(context, row)}
    ${breadcrumbsSection(event)}
    ${requestSection(event)}
    ${userSection(event)}
    ${contextsSection(event)}
    ${await attachmentsSection(context, row)}`
}

/** The text of events that have no exception. */
function messageSection({ logentry, exception }: Json) {
  const { formatted, message } = (logentry ?? {}) as { formatted?: string; message?: string }
  const text = formatted ?? message

  return !exception && text ? section({ id: 'message', title: 'Message' }, html`<p class="user-text">${text}</p>`) : undefined
}

async function feedbackSection({ em, group }: ErrorContext, { event_id: id }: EventRow) {
  const feedback = await listEventFeedback(em, group.projectId, id)

  if (feedback.length === 0) return undefined

  return section(
    { id: 'feedback', title: 'User feedback' },
    html`<ul class="rows">${feedback.map(
      ({ name, email, comments, received_at: at }) =>
        html`<li><div><p class="user-text">${comments}</p><p class="hint">${[name, email].filter(Boolean).join(' · ')} · ${ago(new Date(at), new Date())}</p></div></li>`
    )}</ul>`
  )
}

async function attachmentsSection({ em, group, project }: ErrorContext, { event_id: id }: EventRow) {
  const attachments = await listAttachments(em, group.projectId, id)
  const url = `/api/v4/projects/${project.id}/error_tracking/errors/${group.id}/events/${plainId(id)}/attachments`

  if (attachments.length === 0) return undefined

  return section(
    { id: 'attachments', title: 'Attachments' },
    html`<ul>${attachments.map(({ id, filename, size }) => html`<li><a href="${url}/${id}" download>${filename}</a> <span class="hint">${byteSize(size)}</span></li>`)}</ul>`
  )
}
