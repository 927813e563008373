import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findMonitoredProject } from '#alerts/find-alert.ts'
import { redirect } from '#api/redirect.ts'
import { changeIncident } from '#incidents/close-incident.ts'
import { editableFields, editIncident, textOfField } from '#incidents/edit-incident.ts'
import { linkAlert, unlinkAlert } from '#incidents/link-alert.ts'
import { linkError, unlinkError } from '#incidents/link-error.ts'
import { NotFound } from '#lib/refusals.ts'
import { flash } from '../layout/flash.ts'
import { readForm } from '../layout/form.ts'
import { textOf } from '../layout/forms.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { commentActions } from './comment-actions.ts'
import { type Action, numberOf, refused } from './form-action.ts'
import { showIncident } from './incident.ts'
import { type IncidentContext, incidentContext } from './incident-context.ts'
import { readChanges, readIssueForm } from './issue-form.ts'
import { LinkForm } from './linked.ts'
import type { RefusedForm } from './refused-form.ts'

const actions: Record<string, Action> = {
  'edit/:field': edit,
  state: changeState,
  assignee: assignMe,
  ...commentActions,
  alerts: (request, context) => link('alert', request, context),
  errors: (request, context) => link('error', request, context),
  'alerts/:number/unlink': (request, context) => unlink('alert', request, context),
  'errors/:number/unlink': (request, context) => unlink('error', request, context)
}

/** The forms on the page of an incident or an issue. */
export async function incidentActions(app: FastifyInstance) {
  for (const [name, act] of Object.entries(actions)) {
    for (const kind of ['incidents', 'issues']) {
      app.post(`/projects/:id/${kind}/:iid/${name}`, { onRequest: requirePerson(app) }, async (request, reply) => {
        const context = await incidentContext(request)
        const result = await act(request, context, reply)

        if (typeof result === 'object') {
          return showIncident(reply.code(result.theirs === undefined ? 400 : 409), await incidentContext(request), result)
        }

        return redirect(reply, `${context.incidentUrl}${result ?? ''}`)
      })
    }
  }
}

async function edit(request: FastifyRequest, { em, issue, admin }: IncidentContext): Promise<RefusedForm | undefined> {
  const { field: given } = request.params as { field: string }
  const field = editableFields.find(name => name === given)

  if (!field) throw new NotFound()
  const form = readIssueForm(request, [field])
  const changes = await readChanges(form, em)
  const version = textOf(request, 'version')
  const saved = await form.save(() => editIncident(em, issue, { field, changes, version }, admin.actor, new Date()))

  if (!saved) return { name: field, form }
  if (saved.result) return undefined
  const { row } = await incidentContext(request)

  return { name: field, form, theirs: textOfField(row, field) }
}

async function changeState(request: FastifyRequest, { em, issue, admin, incidentUrl, isIncident }: IncidentContext, reply: FastifyReply) {
  const stateEvent = textOf(request, 'state_event') === 'reopen' ? 'reopen' : 'close'
  const noun = isIncident ? 'Incident' : 'Issue'
  const opposite = stateEvent === 'close' ? 'reopen' : 'close'

  await changeIncident(em, issue, { stateEvent }, admin.actor, new Date())
  flash(reply, `${noun} ${stateEvent === 'close' ? 'closed' : 'reopened'}.`, {
    action: `${incidentUrl}/state`,
    fields: [['state_event', opposite]]
  })

  return undefined
}

async function assignMe(request: FastifyRequest, { em, issue, admin }: IncidentContext) {
  const { id } = request.user
  const isAssigned = textOf(request, 'assigned') === 'yes'
  const assigneeIds = (current: number[]) => [...current.filter(userId => userId !== id), ...(isAssigned ? [id] : [])]

  return refused('assignees', () => changeIncident(em, issue, { assigneeIds }, admin.actor, new Date()))
}

async function link(kind: 'alert' | 'error', request: FastifyRequest, context: IncidentContext) {
  const { em, issue } = context
  const form = readForm(request, LinkForm)
  const link = kind === 'alert' ? linkAlert : linkError

  await findMonitoredProject(em, request.user, String(context.project.id))
  const saved = await form.save(body => link(em, issue, numberIn(body[kind]), request.user.id))

  return saved ? undefined : { name: kind, form }
}

/** People also paste the address of an alert or an error. */
function numberIn(text = '') {
  return Number(/(\d{1,15})\/?$/.exec(text)?.[1] ?? 0)
}

async function unlink(kind: 'alert' | 'error', request: FastifyRequest, context: IncidentContext) {
  const { em, issue } = context

  await findMonitoredProject(em, request.user, String(context.project.id))
  const result = await refused(kind, () => (kind === 'alert' ? unlinkAlert : unlinkError)(em, issue, numberOf(request), request.user.id))

  return result ?? (`#${kind}s` as const)
}
