import type { FastifyReply, FastifyRequest } from 'fastify'
import { minPasswordLength } from '#identity/secrets.ts'
import type { User } from '#identity/users/user.ts'
import { checkbox, field, formOf } from '#pages/layout/field.ts'
import type { Form } from '#pages/layout/form.ts'
import { html } from '#pages/layout/html.ts'
import { ago, day } from '#pages/layout/time.ts'
import { type StateVerb, verbsFor } from '#projects/members/change-user-state.ts'
import { adminPage } from '../admin-page.ts'
import { type UserForm, userFields } from './user-form.ts'

const path = '/admin/users'
const verbTexts: Record<StateVerb, string> = {
  block: 'Block',
  unblock: 'Unblock',
  ban: 'Ban',
  unban: 'Unban',
  deactivate: 'Deactivate',
  activate: 'Activate'
}

export function userAdminView(reply: FastifyReply, user: User, form: Form<typeof UserForm>) {
  const { request } = reply
  const url = `${path}/${user.id}`
  const isOwn = user.id === request.user.id

  return adminPage(
    reply,
    { title: user.name, tab: path },
    html`
    <p class="trail"><a href="${path}">Users</a> <span aria-hidden="true">/</span> <a href="/${user.username}">@${user.username}</a></p>
    <h1>${user.name} ${user.state !== 'active' && html`<span class="badge fatal">${user.state}</span>`}</h1>
    ${facts(user)}
    <div class="column">
      ${form.render(request, { action: url }, html`${userFields(form)}<button>Save</button>`)}
      <h2>Password</h2>
      ${formOf(request, { action: `${url}/password` }, passwordControl(user))}
      ${!isOwn && html`${stateForm(request, user, url)}${deletion(request, user, url)}`}
    </div>`
  )
}

function facts({ createdAt, lastActivityOn, currentSignInAt, confirmedAt, totpEnabledAt }: User) {
  const rows = [
    ['Since', day(createdAt)],
    ['Last active', lastActivityOn ? day(new Date(lastActivityOn)) : 'never'],
    ['Last sign-in', currentSignInAt ? ago(currentSignInAt) : 'never'],
    ['E-mail', confirmedAt ? 'confirmed' : 'not confirmed'],
    ['Two-factor', totpEnabledAt ? 'on' : 'off']
  ] as const

  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

function passwordControl({ passwordHash }: User) {
  return html`
    ${field({
      name: 'password',
      type: 'password',
      label: 'One-time password',
      hint: `${passwordHash ? 'Replaces the current password and ends all of the user’s sessions.' : 'The user has no password yet.'} At least ${minPasswordLength} characters. The user must replace it at the next sign-in.`,
      isRequired: true,
      autocomplete: 'new-password'
    })}
    <button class="plain">Set the password</button>`
}

function stateForm(request: FastifyRequest, { state }: User, url: string) {
  return html`
    <h2>Access</h2>
    <p>Users who are blocked, banned or deactivated are signed out, and their tokens do not work. Signing in reactivates a deactivated user.</p>
    ${formOf(request, { action: `${url}/state` }, html`<p class="actions">${verbsFor(state).map(verb => html`<button class="plain" name="verb" value="${verb}">${verbTexts[verb]}</button>`)}</p>`)}`
}

function deletion(request: FastifyRequest, { username }: User, url: string) {
  return html`
    <section class="danger">
      <h2>Delete the user</h2>
      <p>What they wrote elsewhere is kept and attributed to the ghost user.</p>
      <details>
        <summary>Delete…</summary>
        ${formOf(
          request,
          { action: `${url}/deletion` },
          html`
          ${checkbox({ name: 'hard_delete', value: 'true', label: 'Also delete their personal projects', hint: 'If off, a user who has any is not deleted.' })}
          <button>Delete @${username}</button>`
        )}
      </details>
    </section>`
}
