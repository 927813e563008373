import type { FastifyRequest } from 'fastify'
import type { EditableField } from '#incidents/edit-incident.ts'
import type { IssueRow } from '#issues/load-issues.ts'
import { severities } from '#lib/severity.ts'
import { listLabels } from '#projects/labels/list-labels.ts'
import { listMembers } from '#projects/members/list-members.ts'
import { findMemberSource } from '#projects/members/member-source.ts'
import { listMilestones } from '#projects/milestones/list-milestones.ts'
import { checkbox, field, selectField, textArea } from '../layout/field.ts'
import { chosenOf, textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import type { PageContext } from '../projects/page-context.ts'

const maxChoices = 200
export const maxTitle = 255
export const maxDescription = 1_000_000

type Values = Pick<IssueRow, 'title' | 'description' | 'severity' | 'assignees' | 'labels' | 'milestone' | 'due_date'>

export const emptyValues: Values = {
  title: '',
  description: null,
  severity: 'unknown',
  assignees: [],
  labels: [],
  milestone: null,
  due_date: null
}

/** The control of a field, with what was typed if its form was refused. */
export async function controlOf(name: EditableField, request: FastifyRequest, context: PageContext, values: Values) {
  const isTyped = request.method === 'POST'
  const typed = (name: string, value: string) => (isTyped ? textOf(request, name) : value)
  const chosen = (name: string, values: (string | number)[]) => new Set(isTyped ? chosenOf(request, name) : values.map(String))

  switch (name) {
    case 'title':
      return field({ name, label: 'Title', value: typed(name, values.title), isRequired: true, attributes: { maxlength: maxTitle } })
    case 'description':
      return textArea({
        name,
        label: 'Description',
        value: typed(name, values.description ?? ''),
        hint: 'Supports Markdown: links, lists, - [ ] tasks, tables and code.',
        attributes: { rows: 12, maxlength: maxDescription }
      })
    case 'severity':
      return selectField({ name, label: 'Severity', value: typed(name, values.severity), options: severities.map(one => [one, one]) })
    case 'assignees':
      return assigneeChoices(request, context, values, chosen('assignee_ids', idsOf(values.assignees)))
    case 'labels':
      return labelChoices(request, context, chosen('labels', namesOf(values.labels)), typed('new_labels', ''))
    case 'milestone':
      return milestoneChoice(request, context, values, typed('milestone_id', String(values.milestone?.id ?? 0)))
    case 'due_date':
      return field({ name, label: 'Due date', type: 'date', value: typed(name, values.due_date ?? '') })
  }
}

async function assigneeChoices(request: FastifyRequest, { em, project }: PageContext, { assignees }: Values, chosen: Set<string>) {
  const members = await listMembers(em, await sourceOf(request, em, project.id), { isInherited: true }).list(maxChoices)
  const people = new Map([...assignees, ...members.map(({ user }) => user)].map(user => [user.id, user]))
  const mine = request.user.id
  const sorted = [...people.values()].sort((one, other) => Number(other.id === mine) - Number(one.id === mine))

  return html`
    <fieldset><legend>Assignees</legend><div class="choice-list">${sorted.map(({ id, username, name }) =>
      checkbox({
        name: 'assignee_ids',
        value: String(id),
        label: `@${username}`,
        hint: name === username ? undefined : name,
        isChecked: chosen.has(String(id))
      })
    )}</div></fieldset>
    ${members.length === maxChoices && field({ name: 'username', label: 'Someone else, by username', value: textOf(request, 'username') })}`
}

async function labelChoices(request: FastifyRequest, { em, project }: PageContext, chosen: Set<string>, added: string) {
  const labels = await listLabels(em, await sourceOf(request, em, project.id), request.user, {}).list(maxChoices)
  const names = [...new Set([...chosen, ...labels.map(({ name }) => name)])].sort()

  return html`
    ${names.length > 0 && html`<fieldset><legend>Labels</legend><div class="choice-list">${names.map(name => checkbox({ name: 'labels', value: name, label: name, isChecked: chosen.has(name) }))}</div></fieldset>`}
    ${field({ name: 'new_labels', label: names.length > 0 ? 'New labels' : 'Labels', value: added, hint: 'Separated by commas.' })}`
}

async function milestoneChoice(request: FastifyRequest, { em, project }: PageContext, { milestone }: Values, value: string) {
  const source = await sourceOf(request, em, project.id)
  const active = await listMilestones(em, source, { include_ancestors: true, state: 'active' }).list(maxChoices)
  const milestones = new Map([...(milestone ? [milestone] : []), ...active].map(({ id, title, due_date: due }) => [id, { title, due }]))

  return selectField({
    name: 'milestone_id',
    label: 'Milestone',
    value,
    options: [
      ['0', 'none'],
      ...[...milestones].map(([id, { title, due }]): [string, string] => [String(id), due ? `${title} (due ${due})` : title])
    ]
  })
}

function sourceOf(request: FastifyRequest, em: PageContext['em'], projectId: number) {
  return findMemberSource(em, request.user, 'projects', String(projectId))
}

function idsOf(rows: { id: number }[]) {
  return rows.map(({ id }) => id)
}

function namesOf(rows: { name: string }[]) {
  return rows.map(({ name }) => name)
}
