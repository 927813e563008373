import type { FastifyRequest } from 'fastify'
import { User } from '#identity/users/user.ts'
import type { EditableField } from '#incidents/edit-incident.ts'
import type { IssueChanges } from '#issues/change-issue.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { severities } from '#lib/severity.ts'
import { parseIsoTime, toDay } from '#lib/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { chosenOf, textOf } from '../layout/forms.ts'
import { maxDescription, maxTitle } from './field-controls.ts'

const maxLabel = 255

/** The values of a form's controls, as `controlOf` names them. */
export const readFields = {
  title: async request => ({ title: readTitle(request) }),
  description: async request => ({ description: readDescription(request) }),
  severity: async request => ({ severity: readSeverity(request) }),
  assignees: async (request, em) => ({ assigneeIds: await readAssignees(request, em) }),
  labels: async request => ({ labels: { labels: readLabels(request) } }),
  milestone: async request => ({ milestoneId: Number.parseInt(textOf(request, 'milestone_id'), 10) || null }),
  due_date: async request => ({ dueDate: readDueDate(request) })
} satisfies Record<EditableField, (request: FastifyRequest, em: EntityManager) => Promise<IssueChanges>>

function readTitle(request: FastifyRequest) {
  const title = textOf(request, 'title').replaceAll(/\s+/g, ' ').trim()

  if (title === '') throw new ValidationFailed({ title: ['Enter a title'] })
  if (title.length > maxTitle) throw new ValidationFailed({ title: [`A title can have at most ${maxTitle} characters`] })

  return title
}

/** Forms send line breaks as CRLF. */
function readDescription(request: FastifyRequest) {
  const text = textOf(request, 'description').replaceAll('\r\n', '\n').trimEnd()

  if (text.length > maxDescription)
    throw new ValidationFailed({ description: [`A description can have at most ${maxDescription} characters`] })

  return text || null
}

function readSeverity(request: FastifyRequest) {
  return severities.find(severity => severity === textOf(request, 'severity')) ?? 'unknown'
}

function readDueDate(request: FastifyRequest) {
  const day = textOf(request, 'due_date').trim()

  if (day && !parseIsoTime(day)) throw new ValidationFailed({ due_date: ['Enter a due date such as 2030-12-31'] })

  return toDay(day)
}

async function readAssignees(request: FastifyRequest, em: EntityManager) {
  const ids = chosenOf(request, 'assignee_ids').map(Number).filter(Number.isSafeInteger)
  const username = textOf(request, 'username').trim().replace(/^@/, '')
  const user = username ? await em.findOne(User, { username }) : undefined

  if (username && !user) throw new ValidationFailed({ assignee_ids: [`There is no user @${username}`] })

  return user ? [...ids, user.id] : ids
}

function readLabels(request: FastifyRequest) {
  const added = textOf(request, 'new_labels')
    .split(',')
    .map(name => name.trim())
  const names = [...new Set([...chosenOf(request, 'labels'), ...added])].filter(Boolean)

  if (names.some(name => name.length > maxLabel || name.includes('\0'))) {
    throw new ValidationFailed({ labels: [`A label can have at most ${maxLabel} characters`] })
  }

  return names
}
