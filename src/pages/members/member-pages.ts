import type { FastifyInstance, FastifyReply } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { removeMember, updateMember } from '#projects/members/change-members.ts'
import { catchRefusal } from '../layout/catch-refusal.ts'
import { flash } from '../layout/flash.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { requestActions } from './access-requests.ts'
import { addPerson } from './add-member.ts'
import { shareActions } from './group-shares.ts'
import { invitationActions } from './invitations.ts'
import { type MemberForm, readMemberForm, readMemberQuery, toAttributes } from './member-form.ts'
import { type MemberPlace, memberPlaces } from './member-place.ts'
import { membersView } from './members-view.ts'

const member = ':user_id(^\\d{1,15}$)'

/** The members of projects and groups. */
export async function memberPages(app: FastifyInstance) {
  for (const path of Object.keys(memberPlaces)) await app.register(placePages, { path })
}

async function placePages(app: FastifyInstance, { path }: { path: string }) {
  const guard = { onRequest: requirePerson(app) }
  const find = memberPlaces[path]!

  shareActions(app, path, { find, done, refused })
  invitationActions(app, path, { find, done, refused })
  requestActions(app, path, { find, done, refused })
  app.get(path, guard, async (request, reply) => membersView(reply, await find(request), readMemberQuery(request)))

  app.post(path, guard, async (request, reply) => {
    const place = await find(request)
    const form = readMemberForm(request)
    const { result: text, problems } = await catchRefusal(() => addPerson(request, place, form))

    if (problems) return membersView(reply.code(400), place, form, problems)
    if (!text) return redirect(reply, `${place.url}?${queryOf(form)}`)

    return done(reply, place, text)
  })

  app.post<{ Params: { user_id: string } }>(`${path}/${member}`, guard, async (request, reply) => {
    const place = await find(request)
    const change = async () =>
      updateMember(place.em, place.source, Number(request.params.user_id), toAttributes(readMemberForm(request)), request.actor)
    const { problems } = await catchRefusal(change)

    return problems ? refused(reply, place, Object.values(problems)) : done(reply, place, 'The membership is changed.')
  })

  // Access can be taken away in an archived project, too.
  app.post<{ Params: { user_id: string } }>(
    `${path}/${member}/removal`,
    { ...guard, config: { allowsReadOnly: true } },
    async (request, reply) => {
      const place = await find(request)
      const userId = Number(request.params.user_id)
      const { problems } = await catchRefusal(() => removeMember(place.em, place.source, userId, request.actor))

      if (problems) return refused(reply, place, Object.values(problems))
      if (userId !== request.user.id) return done(reply, place, 'The member is removed.')
      flash(reply, `You left ${place.name}.`)

      return redirect(reply, '/projects')
    }
  )
}

function done(reply: FastifyReply, { url }: MemberPlace, text: string) {
  flash(reply, text)

  return redirect(reply, url)
}

function refused(reply: FastifyReply, place: MemberPlace, reasons: string[]) {
  return membersView(reply.code(400), place, readMemberQuery(reply.request), { base: reasons.join(' ') })
}

function queryOf({ who, accessLevel, expiresAt }: MemberForm) {
  return new URLSearchParams({ who, access_level: String(accessLevel), expires_at: expiresAt })
}
