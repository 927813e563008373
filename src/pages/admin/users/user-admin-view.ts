import type { FastifyReply, FastifyRequest } from 'fastify'
import { maySetPassword } from '#identity/passwords/password-link.ts'
import { listIdentities } from '#identity/provider/identities.ts'
import type { Identity } from '#identity/provider/identity.ts'
import { minPasswordLength } from '#identity/secrets.ts'
import { mayBeImpersonated } from '#identity/sessions/impersonate.ts'
import type { User } from '#identity/users/user.ts'
import { checkbox, field, formOf, secretField } from '#pages/layout/field.ts'
import type { Form } from '#pages/layout/form.ts'
import { html } from '#pages/layout/html.ts'
import { ago, day } from '#pages/layout/time.ts'
import { type StateVerb, verbsFor } from '#projects/members/change-user-state.ts'
import { adminPage } from '../admin-page.ts'
import { stateBadge } from './state-badge.ts'
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

/** With the link that sets a password, once it was made. */
export async function userAdminView(reply: FastifyReply, user: User, form: Form<typeof UserForm>, link?: string) {
  const { request, server } = reply
  const { config } = server.platform
  const url = `${path}/${user.id}`
  const isOwn = user.id === request.user.id
  const identities = await listIdentities(server.platform.fork(), user.id)

  return adminPage(
    reply,
    { title: user.name, tab: path },
    html`
    <p class="trail"><a href="${path}">Users</a> <span aria-hidden="true">/</span> <a href="/${user.username}">@${user.username}</a></p>
    <h1>${user.name} ${stateBadge(user.state)}</h1>
    ${link && madeLink(user, link)}
    ${facts(user, identities)}
    <div class="column">
      ${user.isPending() && decisionForm(request, user, url)}
      ${form.render(request, { action: url }, html`${userFields(form)}<button>Save</button>`)}
      <h2>Password</h2>
      ${maySetPassword(user) && formOf(request, { action: `${url}/password_link` }, linkButton(user, Boolean(config.smtp.url)))}
      ${formOf(request, { action: `${url}/password` }, passwordControl(user))}
      ${!isOwn && user.hasTwoFactor() && twoFactorForm(request, url)}
      ${!isOwn && html`${!user.isPending() && stateForm(request, user, url)}${config.isImpersonationOn && mayBeImpersonated(user) && impersonationForm(request, user, url)}${deletion(request, user, url)}`}
    </div>`
  )
}

function facts(user: User, identities: Identity[]) {
  const { createdAt, lastActivityOn, currentSignInAt, confirmedAt } = user
  const connected = identities.map(({ issuer, subject, email }) => `${new URL(issuer).host} (${email || subject})`)
  const rows = [
    ['Since', day(createdAt)],
    ['Last active', lastActivityOn ? day(new Date(lastActivityOn)) : 'never'],
    ['Last sign-in', currentSignInAt ? ago(currentSignInAt) : 'never'],
    ['E-mail', confirmedAt ? 'confirmed' : 'not confirmed'],
    ['Two-factor', user.hasTwoFactor() ? 'on' : 'off'],
    ...(connected.length > 0 ? [['Signs in with', connected.join(', ')] as const] : [])
  ] as const

  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

function madeLink({ username, passwordHash }: User, link: string) {
  const hint = `Give it to @${username}. It works once, within ${passwordHash ? 'two hours' : 'seven days'}, and is not shown again.`

  return html`<div class="made" role="status">${secretField({ name: 'link', label: 'Link to choose a password', value: link, hint, isFocused: true })}</div>`
}

function linkButton({ email }: User, isMailed: boolean) {
  return html`
    <p>${isMailed ? html`They choose one themselves with a link that is e-mailed to <strong>${email}</strong>.` : 'They choose one themselves with a link that you give them.'}</p>
    <p class="actions"><button class="plain">${isMailed ? 'E-mail a link' : 'Create a link'}</button></p>`
}

function twoFactorForm(request: FastifyRequest, url: string) {
  return html`
    <h2>Two-factor authentication</h2>
    <p>If they lost their device and their recovery codes. Make sure that it is really them who ask. Removes their authenticator app and all their passkeys.</p>
    ${formOf(request, { action: `${url}/two_factor` }, html`<p class="actions"><button class="plain">Turn off two-factor authentication</button></p>`)}`
}

function impersonationForm(request: FastifyRequest, { username }: User, url: string) {
  return html`
    <h2>Impersonation</h2>
    <p>See the pages as they see them. What you do is recorded as yours, on their behalf.</p>
    ${formOf(request, { action: `${url}/impersonation` }, html`<p class="actions"><button class="plain">Impersonate @${username}</button></p>`)}`
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

function decisionForm(request: FastifyRequest, { email }: User, url: string) {
  return html`
    <h2>Approval</h2>
    <p>They signed up with the address <strong>${email}</strong>. Rejecting deletes the account. They are told by e-mail.</p>
    ${formOf(
      request,
      { action: `${url}/approval` },
      html`<p class="actions"><button name="decision" value="approve">Approve</button> <button class="plain" name="decision" value="reject">Reject</button></p>`
    )}`
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
