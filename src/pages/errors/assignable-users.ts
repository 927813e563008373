import type { FastifyRequest } from 'fastify'
import { callerOf } from '#identity/identify.ts'
import { listMembers } from '#projects/members/list-members.ts'
import { findMemberSource } from '#projects/members/member-source.ts'
import type { PageContext } from '../projects/page-context.ts'

const maxMembers = 200

/** The members of the project, and the user, by id. */
export async function assignableUsers(request: FastifyRequest, { em, project }: Pick<PageContext, 'em' | 'project'>) {
  const viewer = callerOf(request)
  const source = await findMemberSource(em, viewer, 'projects', String(project.id))
  const members = await listMembers(em, source, { isInherited: true }).list(maxMembers)

  return new Map([viewer, ...members.map(({ user }) => user)].map(({ id, username }) => [id, username]))
}
