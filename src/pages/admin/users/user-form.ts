import type { FastifyRequest } from 'fastify'
import type { Viewer } from '#identity/viewer.ts'
import { checkbox, field } from '#pages/layout/field.ts'
import { textOf } from '#pages/layout/forms.ts'
import { html } from '#pages/layout/html.ts'
import type { Problems } from '#pages/projects/page-context.ts'

export interface UserForm {
  name: string
  username: string
  email: string
  isAdmin: boolean
  isExternal: boolean
  canCreateGroup: boolean
  projectsLimit: string
}

export const blankUser: UserForm = {
  name: '',
  username: '',
  email: '',
  isAdmin: false,
  isExternal: false,
  canCreateGroup: true,
  projectsLimit: '100000'
}

export function userFormOf(user: Viewer): UserForm {
  return { ...user, projectsLimit: String(user.projectsLimit) }
}

export function readUserForm(request: FastifyRequest): UserForm {
  const text = (name: string) => textOf(request, name).trim()
  const isChecked = (name: string) => text(name) !== ''

  return {
    name: text('name'),
    username: text('username'),
    email: text('email'),
    isAdmin: isChecked('admin'),
    isExternal: isChecked('external'),
    canCreateGroup: isChecked('can_create_group'),
    projectsLimit: text('projects_limit')
  }
}

/** The body of the REST API. */
export function toUserBody({ name, username, email, isAdmin, isExternal, canCreateGroup, projectsLimit }: UserForm) {
  return {
    name,
    username,
    email,
    admin: isAdmin,
    external: isExternal,
    can_create_group: canCreateGroup,
    projects_limit: Number(projectsLimit || Number.NaN)
  }
}

export function userFields(form: UserForm, problems: Problems) {
  const text = (name: 'name' | 'username' | 'email') => ({
    name,
    value: form[name],
    error: problems[name],
    isRequired: true,
    autocomplete: 'off'
  })

  return html`
    ${problems.base && html`<p class="problem" role="alert">${problems.base}</p>`}
    ${field({ ...text('name'), label: 'Name' })}
    ${field({ ...text('username'), label: 'Username', hint: 'Also the path of their own projects.', attributes: { spellcheck: 'false', autocapitalize: 'none' } })}
    ${field({ ...text('email'), label: 'E-mail', type: 'email' })}
    ${checkbox({ name: 'admin', value: 'true', label: 'Admin', hint: 'Sees and changes everything.', isChecked: form.isAdmin })}
    ${checkbox({ name: 'external', value: 'true', label: 'External', hint: 'Creates nothing, and sees only what they are a member of and what is public.', isChecked: form.isExternal })}
    ${checkbox({ name: 'can_create_group', value: 'true', label: 'May create top-level groups', isChecked: form.canCreateGroup })}
    ${field({ name: 'projects_limit', label: 'Personal projects at most', value: form.projectsLimit, error: problems.projects_limit, isRequired: true, attributes: { class: 'short', inputmode: 'numeric' } })}`
}
