import Type from 'typebox'
import type { User } from '#identity/users/user.ts'
import { NewUserBody } from '#identity/users/user-admin-routes.ts'
import { Form } from '#pages/layout/form.ts'
import { html } from '#pages/layout/html.ts'

export const UserForm = Type.Pick(NewUserBody, ['name', 'username', 'email', 'admin', 'external', 'can_create_group', 'projects_limit'])

export function formOfUser({ isAdmin: admin, isExternal: external, canCreateGroup, projectsLimit, ...user }: User) {
  return new Form(UserForm, { ...user, admin, external, can_create_group: canCreateGroup, projects_limit: projectsLimit })
}

export function userFields(form: Form<typeof UserForm>) {
  return html`
    ${form.field('name', { label: 'Name', autocomplete: 'off' })}
    ${form.field('username', { label: 'Username', hint: 'Also the path of their personal projects.', autocomplete: 'off', attributes: { spellcheck: 'false', autocapitalize: 'none' } })}
    ${form.field('email', { label: 'E-mail', type: 'email', isRequired: true, autocomplete: 'off' })}
    ${form.checkbox('admin', { label: 'Admin', hint: 'Can see and change everything.' })}
    ${form.checkbox('external', { label: 'External', hint: 'Can’t create anything; sees only public content and their own memberships.' })}
    ${form.checkbox('can_create_group', { label: 'May create top-level groups' })}
    ${form.field('projects_limit', { label: 'Personal project limit' })}`
}
