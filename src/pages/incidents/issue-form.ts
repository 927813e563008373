import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { User } from '#identity/users/user.ts'
import type { EditableField } from '#incidents/edit-incident.ts'
import { NewIssueBody } from '#issues/issue-schemas.ts'
import type { IssueRow } from '#issues/load-issues.ts'
import { severities } from '#lib/severity.ts'
import { toDay } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { LabelName } from '#projects/labels/label-schemas.ts'
import type { Problems } from '../layout/attempt.ts'
import { Form, readForm, type SentForm } from '../layout/form.ts'

const { title, description, assignee_ids, milestone_id, due_date } = NewIssueBody.properties

/** The fields of an issue, as people enter them: someone who is not listed by username, and new labels separated by commas. */
export const IssueForm = Type.Object({
  title,
  description,
  severity: Type.Optional(Type.Enum([...severities])),
  assignee_ids,
  username: Type.Optional(Type.String()),
  labels: Type.Optional(Type.Array(LabelName, { maxItems: 100 })),
  new_labels: Type.Optional(Type.String()),
  milestone_id,
  due_date
})
type IssueBody = Partial<Type.Static<typeof IssueForm>>

/** The fields of the form that belong to what is edited on its own. */
const formFields = {
  title: ['title'],
  description: ['description'],
  severity: ['severity'],
  assignees: ['assignee_ids', 'username'],
  labels: ['labels', 'new_labels'],
  milestone: ['milestone_id'],
  due_date: ['due_date']
} satisfies Record<EditableField, (keyof IssueBody)[]>

export type FormValues = Pick<IssueRow, 'title' | 'description' | 'severity' | 'assignees' | 'labels' | 'milestone' | 'due_date'>

export const emptyValues: FormValues = {
  title: '',
  description: null,
  severity: 'unknown',
  assignees: [],
  labels: [],
  milestone: null,
  due_date: null
}

export function formOfIssue({ assignees, labels, milestone, ...values }: FormValues) {
  return new Form(IssueForm, {
    ...values,
    assignee_ids: assignees.map(({ id }) => id),
    labels: labels.map(({ name }) => name),
    milestone_id: milestone?.id ?? 0
  })
}

export function readIssueForm(request: FastifyRequest, edited: EditableField[]) {
  const names: (keyof IssueBody)[] = edited.flatMap(field => formFields[field])

  // Spaces at the beginning of Markdown count.
  return readForm(request, Type.Pick(IssueForm, names), ['description'] as never[]) as unknown as SentForm<typeof IssueForm>
}

/** What the fields that were sent change. Adds to the form what is wrong with them. */
export async function readChanges(form: SentForm<typeof IssueForm>, em: EntityManager) {
  const body: IssueBody = form.body
  const labels = body.labels && [...new Set([...body.labels, ...labelsIn(body.new_labels)])]
  const further = await findByUsername(em, body.username)

  form.problems = { ...problemsOf(labels, further === null ? body.username : undefined), ...form.problems }

  return {
    title: body.title?.replaceAll(/\s+/g, ' '),
    description: body.description === undefined ? undefined : body.description?.trimEnd() || null,
    severity: body.severity,
    assigneeIds: body.assignee_ids && [...body.assignee_ids, ...(further ? [further.id] : [])],
    labels: labels && { labels },
    milestoneId: body.milestone_id === undefined ? undefined : body.milestone_id || null,
    dueDate: toDay(body.due_date)
  }
}

function problemsOf(labels: string[] = [], unknownUser?: string): Problems {
  return {
    ...(labels.some(name => !Check(LabelName, name)) && { new_labels: 'A label can have at most 255 characters.' }),
    ...(unknownUser && { username: `There is no user ${unknownUser}.` })
  }
}

function labelsIn(text = '') {
  return text
    .split(',')
    .map(name => name.trim())
    .filter(Boolean)
}

/** Null when there is no such user. */
async function findByUsername(em: EntityManager, given = '') {
  const username = given.replace(/^@/, '')

  return username ? await em.findOne(User, { username }) : undefined
}
