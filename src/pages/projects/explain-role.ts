import type { FastifyRequest } from 'fastify'
import { Forbidden } from '#lib/refusals.ts'
import { listMembers } from '#projects/members/list-members.ts'
import { Role, roleName } from '#projects/members/member.ts'
import { findMemberSource, type MemberSource, type SourceKind } from '#projects/members/member-source.ts'

const maxNamed = 3
const maxMembers = 200

/** Finds a project or group. One that the user may see, but with another role, says which role the page needs and who can give it. */
export async function explainRole<Found>(request: FastifyRequest, kind: SourceKind, minRole: number, find: () => Promise<Found>) {
  try {
    return await find()
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error
    const source = await findMemberSource(request.em, request.user, kind, (request.params as { id: string }).id)
    const yours = source.role > 0 ? `You are ${article(roleName(source.role))} of` : 'You are not a member of'

    throw new Forbidden(
      `This page needs the role ${roleName(minRole)}. ${yours} ${source.path}. ${await whoCanHelp(request, source)}`,
      source.role > 0 ? { name: source.path, url: kind === 'projects' ? `/projects/${source.id}` : `/groups/${source.path}` } : undefined
    )
  }
}

async function whoCanHelp(request: FastifyRequest, source: MemberSource) {
  const members = await listMembers(request.em, source, { isInherited: true }).list(maxMembers)
  const names = members.filter(({ access_level: role }) => role >= Role.maintainer).map(({ user }) => `@${user.username}`)
  const others = names.length > maxNamed ? [`${names.length - maxNamed} more`] : []

  if (names.length === 0) return 'An administrator can add you'

  return `${new Intl.ListFormat('en').format([...names.slice(0, maxNamed), ...others])} can give you another role`
}

function article(noun: string) {
  return `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`
}
