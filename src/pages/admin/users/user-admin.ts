import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { BadParameter } from '#api/problems/problems.ts'
import { redirect } from '#api/redirect.ts'
import { changeUser } from '#identity/users/change-user.ts'
import { getAccount } from '#identity/users/find-user.ts'
import { userAttributes } from '#identity/users/user-attributes.ts'
import { catchRefusal } from '#pages/layout/catch-refusal.ts'
import { checkBody } from '#pages/layout/check-body.ts'
import { flash } from '#pages/layout/flash.ts'
import { textOf } from '#pages/layout/forms.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { deleteUser } from '#projects/deletion/delete-user.ts'
import { changeUserState, stateVerbs } from '#projects/members/change-user-state.ts'
import { userAdminView } from './user-admin-view.ts'
import { readUserForm, toUserBody, userFormOf } from './user-form.ts'

const path = '/admin/users/:id(^\\d{1,15}$)'
const UserBody = Type.Object(userAttributes)

/** A user's account, for admins. Each change is that of the REST API. */
export async function userAdminPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app, app.requireAdmin) }
  const { platform } = app
  app.get(path, guard, async (request, reply) => {
    const user = await getAccount(request.em, idIn(request))

    return userAdminView(reply, user, { form: userFormOf(user) })
  })

  app.post(path, guard, async (request, reply) => {
    const form = readUserForm(request)
    const { problems } = await catchRefusal(() => save(request, toUserBody(form)))

    return problems
      ? userAdminView(reply.code(400), await getAccount(request.em, idIn(request)), { form, problems })
      : done(reply, 'The user is saved.')
  })

  app.post(`${path}/password`, guard, async (request, reply) =>
    act(
      reply,
      () => save(request, { password: textOf(request, 'password') }),
      'The one-time password is set. Tell the user: it is replaced at the next sign-in.'
    )
  )

  app.post(`${path}/state`, guard, async (request, reply) => {
    const verb = stateVerbs.find(one => one === textOf(request, 'verb'))

    if (!verb) throw new BadParameter('verb does not have a valid value')

    return act(reply, () => changeUserState(request.em, request.actor, idIn(request), verb, new Date()), 'The state is changed.')
  })

  app.post(`${path}/deletion`, guard, async (request, reply) => {
    const withProjects = textOf(request, 'hard_delete') !== ''

    return act(
      reply,
      () => deleteUser(request.em, platform, idIn(request), { withProjects }, request.actor),
      'The user is deleted.',
      '/admin/users'
    )
  })
}

function idIn({ params }: FastifyRequest) {
  return Number((params as { id: string }).id)
}

async function save(request: FastifyRequest, body: Type.Static<typeof UserBody>) {
  const { platform } = request.server

  checkBody(UserBody, body)

  return changeUser(request.em, platform, request.actor, idIn(request), body)
}

/** Runs a change; a refusal is shown above the forms. */
async function act(reply: FastifyReply, change: () => Promise<unknown>, text: string, to?: string) {
  const { request, server } = reply
  const { problems } = await catchRefusal(change)

  if (!problems) return done(reply, text, to)
  const user = await getAccount(server.platform.fork(), idIn(request))

  return userAdminView(reply.code(400), user, { form: userFormOf(user), problems: { base: Object.values(problems).join(' ') } })
}

function done(reply: FastifyReply, text: string, to = `/admin/users/${idIn(reply.request)}`) {
  flash(reply, text)

  return redirect(reply, to)
}
