import type { FastifyRequest } from 'fastify'
import type { EditableField } from '#incidents/edit-incident.ts'
import { severities } from '#lib/severity.ts'
import { listLabels } from '#projects/labels/list-labels.ts'
import { listMembers } from '#projects/members/list-members.ts'
import { findMemberSource } from '#projects/members/member-source.ts'
import { listMilestones } from '#projects/milestones/list-milestones.ts'
import type { Form } from '../layout/form.ts'
import { type Html, html } from '../layout/html.ts'
import type { PageContext } from '../projects/page-context.ts'
import type { FormValues, IssueForm } from './issue-form.ts'

const maxChoices = 200

interface Controls {
  request: FastifyRequest
  context: PageContext
  form: Form<typeof IssueForm>
  /** The stored values, which stay among the options. */
  values: FormValues
}

/** The control of what is edited on its own. */
export async function controlOf(name: EditableField, controls: Controls) {
  const { form } = controls

  switch (name) {
    case 'title':
      return form.field(name, { label: 'Title', invalid: 'Enter a title of at most 255 characters.' })
    case 'description':
      return form.textArea(name, {
        label: 'Description',
        hint: 'Supports Markdown: links, lists, - [ ] tasks, tables and code.',
        attributes: { rows: 12 }
      })
    case 'severity':
      return form.select(name, { label: 'Severity', options: severities.map(one => [one, one]) })
    case 'assignees':
      return assigneeChoices(controls)
    case 'labels':
      return labelChoices(controls)
    case 'milestone':
      return milestoneChoice(controls)
    case 'due_date':
      return form.field(name, { label: 'Due date', type: 'date' })
  }
}

async function assigneeChoices({ request, context, form, values }: Controls) {
  const { em, project } = context
  const members = await listMembers(em, await sourceOf(request, em, project.id), { isInherited: true }).list(maxChoices)
  const people = new Map([...values.assignees, ...members.map(({ user }) => user)].map(user => [user.id, user]))
  const mine = request.user.id
  const sorted = [...people.values()].sort((one, other) => Number(other.id === mine) - Number(one.id === mine))
  const choices = sorted.map(({ id, username, name }) =>
    form.choice('assignee_ids', String(id), { label: `@${username}`, hint: name === username ? undefined : name })
  )

  return html`
    ${choiceList('Assignees', choices)}
    ${members.length === maxChoices && form.field('username', { label: 'Someone else, by username' })}`
}

async function labelChoices({ request, context: { em, project }, form }: Controls) {
  const labels = await listLabels(em, await sourceOf(request, em, project.id), request.user, {}).list(maxChoices)
  const names = [...new Set([...form.list('labels'), ...labels.map(({ name }) => name)])].sort()
  const choices = names.map(name => form.choice('labels', name, { label: name }))

  return html`
    ${names.length > 0 && choiceList('Labels', choices)}
    ${form.field('new_labels', { label: names.length > 0 ? 'New labels' : 'Labels', hint: 'Separated by commas.', reasons: ['labels'] })}`
}

function choiceList(legend: string, choices: Html[]) {
  return html`<fieldset><legend>${legend}</legend><div class="choice-list">${choices}</div></fieldset>`
}

async function milestoneChoice({ request, context: { em, project }, form, values: { milestone } }: Controls) {
  const source = await sourceOf(request, em, project.id)
  const active = await listMilestones(em, source, { include_ancestors: true, state: 'active' }).list(maxChoices)
  const milestones = new Map([...(milestone ? [milestone] : []), ...active].map(({ id, title, due_date: due }) => [id, { title, due }]))

  return form.select('milestone_id', {
    label: 'Milestone',
    options: [
      ['0', 'none'],
      ...[...milestones].map(([id, { title, due }]): [string, string] => [String(id), due ? `${title} (due ${due})` : title])
    ]
  })
}

function sourceOf(request: FastifyRequest, em: PageContext['em'], projectId: number) {
  return findMemberSource(em, request.user, 'projects', String(projectId))
}
