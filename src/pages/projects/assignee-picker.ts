import type { FastifyRequest } from 'fastify'
import { findAssignable, pickAssignable } from '#projects/members/list-members.ts'
import type { PersonLike } from '#projects/present-project.ts'
import { formOf } from '../layout/field.ts'
import { textOf } from '../layout/forms.ts'
import { attributes, html } from '../layout/html.ts'
import type { PageContext } from './page-context.ts'

const maxCandidates = 20
const maxSuggestions = 100

interface Picker {
  /** Its POST route calls `readAssigneeChange`. */
  action: string
  assignees: Pick<PersonLike, 'id' | 'username' | 'name'>[]
}

/** The assignees, and a search for others among the members. The search works without a script: it lists who matches. */
export async function assigneePicker(request: FastifyRequest, { em, project }: PageContext, { action, assignees }: Picker) {
  const { member } = request.query as { member?: string }
  const isAssigned = new Set(assignees.map(({ id }) => id))
  const candidates = member ? await findAssignable(em, request.user, project.id, member, maxCandidates) : []
  const suggestions = await findAssignable(em, request.user, project.id, '', maxSuggestions)
  const choice = (person: Picker['assignees'][number], name: 'add' | 'remove', label: string) => html`
    <li><span><strong>@${person.username}</strong> ${person.name}</span>
      ${formOf(request, { action }, html`<button${attributes({ class: 'plain small', name, value: person.id, 'aria-label': `${label} @${person.username}` })}>${label}</button>`)}</li>`

  return html`
    <section class="assignees" id="assignees">
      <h2 class="visually-hidden">Assignees</h2>
      ${assignees.length > 0 && html`<ul class="plain-list">${assignees.map(person => choice(person, 'remove', 'Unassign'))}</ul>`}
      ${formOf(
        request,
        { action, class: 'inline-form' },
        html`
        <div class="field"><label for="member">Name or username of a member</label>
        <input id="member" name="member" type="search" list="members" placeholder="Name or username" autocomplete="off"${attributes({ value: member, required: true })}></div>
        <button class="plain small">Assign</button>
        <datalist id="members">${suggestions.filter(({ id }) => !isAssigned.has(id)).map(({ username, name }) => html`<option value="${username}">${name}</option>`)}</datalist>`
      )}
      ${
        member &&
        (candidates.length > 0
          ? html`<p role="status">Choose one:</p><ul class="plain-list">${candidates.filter(({ id }) => !isAssigned.has(id)).map(person => choice(person, 'add', 'Assign'))}</ul>`
          : html`<p class="error" role="status">No member of this project matches “${member}”.</p>`)
      }
    </section>`
}

type Change = (current: number[]) => number[]

/** The change that the form asks for, or the text of a search that several members or none match. */
export async function readAssigneeChange(
  request: FastifyRequest,
  { em, project }: PageContext
): Promise<{ change: Change; search?: undefined } | { change?: undefined; search: string }> {
  const search = textOf(request, 'member').trim().replace(/^@/, '')
  const removed = Number.parseInt(textOf(request, 'remove'), 10)
  const people = search ? await findAssignable(em, request.user, project.id, search, maxCandidates) : []
  const added = search ? pickAssignable(people, search)?.id : Number.parseInt(textOf(request, 'add'), 10)

  if (removed) return { change: current => current.filter(id => id !== removed) }

  return added ? { change: current => [...current, added] } : { search }
}
