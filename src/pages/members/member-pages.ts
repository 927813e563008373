import type { FastifyInstance, FastifyReply } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { removeMember, updateMember } from '#projects/members/change-members.ts'
import { MemberBody } from '#projects/members/member-schemas.ts'
import { attempt, inOneText, type Problems } from '../layout/attempt.ts'
import { flash } from '../layout/flash.ts'
import { type Form, readForm } from '../layout/form.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { requestActions } from './access-requests.ts'
import { addPerson } from './add-member.ts'
import { shareActions } from './group-shares.ts'
import { invitationActions } from './invitations.ts'
import { MemberForm, memberFormIn, toAttributes } from './member-form.ts'
import { type MembersContext, membersContexts } from './members-context.ts'
import { membersView } from './members-view.ts'

const member = ':user_id(^\\d{1,15}$)'

/** The members of projects and groups. */
export async function memberPages(app: FastifyInstance) {
  for (const path of Object.keys(membersContexts)) await app.register(membersPages, { path })
}

async function membersPages(app: FastifyInstance, { path }: { path: string }) {
  const guard = { onRequest: requirePerson(app) }
  const find = membersContexts[path]!

  shareActions(app, path, { find, done, refused })
  invitationActions(app, path, { find, done, refused })
  requestActions(app, path, { find, done, refused })
  app.get(path, guard, async (request, reply) => membersView(reply, await find(request), memberFormIn(request)))

  app.post(path, guard, async (request, reply) => {
    const context = await find(request)
    const form = readForm(request, MemberForm)
    const saved = await form.save(body => addPerson(request, context, body))

    if (!saved) return membersView(reply.code(400), context, form)
    if (!saved.result) return redirect(reply, `${context.url}?${queryOf(form)}`)

    return done(reply, context, saved.result)
  })

  app.post<{ Params: { user_id: string } }>(`${path}/${member}`, guard, async (request, reply) => {
    const context = await find(request)
    const form = readForm(request, MemberBody)
    const saved = await form.save(body =>
      updateMember(context.em, context.source, Number(request.params.user_id), toAttributes(body), request.actor)
    )

    return saved ? done(reply, context, 'Membership changed.') : refused(reply, context, form.problems)
  })

  // Access can be taken away in an archived project, too.
  app.post<{ Params: { user_id: string } }>(
    `${path}/${member}/removal`,
    { ...guard, config: { allowsReadOnly: true } },
    async (request, reply) => {
      const context = await find(request)
      const userId = Number(request.params.user_id)
      const { problems } = await attempt(() => removeMember(context.em, context.source, userId, request.actor))

      if (problems) return refused(reply, context, problems)
      if (userId !== request.user.id) return done(reply, context, 'Member removed.')
      flash(reply, `You left ${context.name}.`)

      return redirect(reply, '/projects')
    }
  )
}

function done(reply: FastifyReply, { url }: MembersContext, text: string) {
  flash(reply, text)

  return redirect(reply, url)
}

function refused(reply: FastifyReply, context: MembersContext, problems: Problems) {
  const form = memberFormIn(reply.request)

  form.problems.base = inOneText(problems)

  return membersView(reply.code(400), context, form)
}

function queryOf(form: Form<typeof MemberForm>) {
  return new URLSearchParams((['who', 'access_level', 'expires_at'] as const).map((name): [string, string] => [name, form.text(name)]))
}
