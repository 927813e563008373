import type { FastifyReply, FastifyRequest } from 'fastify'
import type { User } from '#identity/users/user.ts'
import { readInstanceSettings } from '#instance-settings/instance-setting.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import type { Invitation } from '#projects/invitations/invitation.ts'
import { roleName } from '#projects/members/member.ts'
import { Project } from '#projects/project.ts'
import { formOf } from '../layout/field.ts'
import { Form } from '../layout/form.ts'
import { type Html, html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { lastDay } from '../layout/time.ts'
import { signInPath } from '../sign-in/return-to.ts'
import { AccountForm, accountFields } from '../sign-up/account-fields.ts'

/** Who invites to what, and what the reader can do. */
export async function inviteView(reply: FastifyReply, invitation: Invitation, form: Form<typeof AccountForm> = new Form(AccountForm)) {
  const { request } = reply
  const source = invitation.source()
  const inviter = invitation.createdBy as User | null
  const base = inviteUrl(request)

  return card(
    reply,
    html`
    <h1>Invitation to ${source.name}</h1>
    <p class="lead">${inviter ? html`<strong>${inviter.name}</strong> (@${inviter.username}) invites you` : 'You are invited'} to the ${nounOf(source)}
      <strong>${source.fullPath}</strong> with the role <strong>${roleName(invitation.accessLevel)}</strong>${invitation.expiresAt && html`, until ${lastDay(invitation.expiresAt)}`}.</p>
    ${request.caller ? acceptance(request, invitation, base) : await signedOut(request, invitation, base, form)}
    ${formOf(request, { action: `${base}/decline` }, html`<button class="quiet">Decline</button>`)}`
  )
}

/** Not for others than those who have the address: who is signed in may have been sent the link by mistake. */
function acceptance(request: FastifyRequest, { email }: Invitation, base: string) {
  const { username, email: own } = request.viewer!

  return html`
    ${
      own.toLowerCase() !== email.toLowerCase() &&
      html`<p class="hint">It was sent to <strong>${email}</strong>. You are signed in as <strong>@${username}</strong>, who becomes a member if you accept.</p>`
    }
    ${formOf(request, { action: `${base}/accept` }, html`<button>Accept as @${username}</button>`)}
    ${formOf(request, { action: '/users/sign_out' }, html`<input type="hidden" name="return_to" value="${base}"><button class="quiet">Sign in as another user</button>`)}`
}

async function signedOut(request: FastifyRequest, { email }: Invitation, base: string, form: Form<typeof AccountForm>) {
  const maySignUp = (await readInstanceSettings(request.em)).signUp !== 'off'

  return html`
    <p><a class="button${maySignUp && ' plain'}" href="${signInPath(base)}">Sign in to accept</a></p>
    ${
      maySignUp
        ? signUpForm(request, { email, action: `${base}/sign_up` }, form)
        : html`<p class="hint">No account yet? Ask an admin for one with the address <strong>${email}</strong>. Once it is confirmed, you are a member.</p>`
    }`
}

export function addressOf(source: Project | Namespace) {
  return source instanceof Project ? `/projects/${source.id}` : `/groups/${source.fullPath}`
}

export function usedLink(reply: FastifyReply) {
  const text =
    'It was accepted, declined or withdrawn, or the link is incomplete. Use the whole link from the e-mail, or ask to be invited again.'

  return card(reply.code(404), html`<h1>No open invitation</h1><p class="problem" role="alert">${text}</p>`)
}

export function expiredLink(reply: FastifyReply) {
  return card(
    reply.code(410),
    html`<h1>Expired invitation</h1><p class="problem" role="alert">The invitation has expired. Ask to be invited again.</p>`
  )
}

export function card(reply: FastifyReply, content: Html) {
  return page(reply, { title: 'Invitation', width: 'narrow' }, html`<section class="card" data-refused>${content}</section>`)
}

function nounOf(source: Project | Namespace) {
  return source instanceof Project ? 'project' : 'group'
}

function inviteUrl({ params }: FastifyRequest) {
  return `/-/invites/${(params as { token: string }).token}`
}

function signUpForm(request: FastifyRequest, { email, action }: { email: string; action: string }, form: Form<typeof AccountForm>) {
  return html`
    <h2>Create an account</h2>
    <p class="hint">Its e-mail address is <strong>${email}</strong>, which this link confirms.</p>
    ${form.render(request, { action }, html`${accountFields(form)}<button>Create the account and accept</button>`)}`
}
