import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { readSession } from '#api/guards/cookies.ts'
import { redirect } from '#api/redirect.ts'
import { sendPasswordLink } from '#identity/passwords/send-password-link.ts'
import { startImpersonation } from '#identity/sessions/impersonate.ts'
import { removeTwoFactor } from '#identity/sessions/two-factor.ts'
import { changeUser } from '#identity/users/change-user.ts'
import { getAccount } from '#identity/users/find-user.ts'
import type { User } from '#identity/users/user.ts'
import { InvalidInput } from '#lib/refusals.ts'
import { attempt, inOneText, type Problems } from '#pages/layout/attempt.ts'
import { flash } from '#pages/layout/flash.ts'
import { readForm } from '#pages/layout/form.ts'
import { textOf } from '#pages/layout/forms.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { setSessionCookie } from '#pages/sign-in/sign-in.ts'
import { deleteUser } from '#projects/deletion/delete-user.ts'
import { changeUserState, stateVerbs } from '#projects/members/change-user-state.ts'
import { approveUser, rejectUser } from '#projects/sign-ups/decide-sign-up.ts'
import { userAdminView } from './user-admin-view.ts'
import { formOfUser, UserForm } from './user-form.ts'

const path = '/admin/users/:id(^\\d{1,15}$)'
const PasswordForm = Type.Object({ password: Type.String({ maxLength: 128 }) })

/** A user's account, for admins. Each change is that of the REST API. */
export async function userAdminPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app, app.requireAdmin) }
  const { platform } = app
  app.get(path, guard, async (request, reply) => {
    const user = await getAccount(request.em, idIn(request))

    return userAdminView(reply, user, formOfUser(user))
  })

  app.post(path, guard, async (request, reply) => {
    const form = readForm(request, UserForm)
    const saved = await form.save(body => changeUser(request.em, platform, request.actor, idIn(request), body))

    return saved ? done(reply, 'User saved.') : userAdminView(reply.code(400), await getAccount(platform.fork(), idIn(request)), form)
  })

  app.post(`${path}/password`, guard, async (request, reply) => {
    const form = readForm(request, PasswordForm, ['password'])
    const saved = await form.save(body => changeUser(request.em, platform, request.actor, idIn(request), body))

    return saved
      ? done(reply, 'One-time password set. Give it to the user, who must replace it at the next sign-in.')
      : refused(reply, form.problems)
  })

  app.post(`${path}/password_link`, guard, async (request, reply) => {
    const id = idIn(request)
    const { result: link, problems } = await attempt(() => sendPasswordLink(request.em, platform.config, request.actor, id, new Date()))

    if (problems) return refused(reply, problems)
    if (!link) return done(reply, 'E-mailed a link to choose a password.')

    return showLink(reply, await getAccount(platform.fork(), id), link)
  })

  app.post(`${path}/two_factor`, guard, async (request, reply) =>
    act(reply, () => removeTwoFactor(request.em, request.actor, idIn(request)), 'Two-factor authentication turned off.')
  )

  if (platform.config.isImpersonationOn)
    app.post(`${path}/impersonation`, guard, async (request, reply) => {
      const { ip } = request
      const session = readSession(request)!
      const { result: secret, problems } = await attempt(() => startImpersonation(request.em, { session, ip }, idIn(request)))

      return secret ? redirect(setSessionCookie(reply, secret), '/') : refused(reply, problems!)
    })

  app.post(`${path}/approval`, guard, async (request, reply) => {
    const [id, isRejected] = [idIn(request), textOf(request, 'decision') === 'reject']

    return isRejected
      ? act(reply, () => rejectUser(request.em, platform, request.actor, id), 'User rejected and deleted.', '/admin/users')
      : act(reply, () => approveUser(request.em, request.actor, id), 'User approved.')
  })

  app.post(`${path}/state`, guard, async (request, reply) => {
    const verb = stateVerbs.find(one => one === textOf(request, 'verb'))

    if (!verb) throw new InvalidInput('verb does not have a valid value')

    return act(reply, () => changeUserState(request.em, request.actor, idIn(request), verb, new Date()), 'User state changed.')
  })

  app.post(`${path}/deletion`, guard, async (request, reply) => {
    const withProjects = textOf(request, 'hard_delete') !== ''

    return act(
      reply,
      () => deleteUser(request.em, platform, idIn(request), { withProjects }, request.actor),
      'User deleted.',
      '/admin/users'
    )
  })
}

/** It is shown once. */
export function showLink(reply: FastifyReply, user: User, link: string) {
  return userAdminView(reply.code(201), user, formOfUser(user), link)
}

function idIn({ params }: FastifyRequest) {
  return Number((params as { id: string }).id)
}

/** Runs a change; a refusal is shown above the forms. */
async function act(reply: FastifyReply, change: () => Promise<unknown>, text: string, to?: string) {
  const { problems } = await attempt(change)

  return problems ? refused(reply, problems) : done(reply, text, to)
}

async function refused(reply: FastifyReply, problems: Problems) {
  const user = await getAccount(reply.server.platform.fork(), idIn(reply.request))
  const form = formOfUser(user)

  form.problems.base = inOneText(problems)

  return userAdminView(reply.code(400), user, form)
}

function done(reply: FastifyReply, text: string, to = `/admin/users/${idIn(reply.request)}`) {
  flash(reply, text)

  return redirect(reply, to)
}
