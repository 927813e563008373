import type { FastifyRequest } from 'fastify'
import { listAssigneeGroups } from '#projects/members/assignee-group-store.ts'
import { listMembers } from '#projects/members/list-members.ts'
import { findMemberSource } from '#projects/members/member-source.ts'
import type { PageContext } from '../projects/page-context.ts'

const maxMembers = 200

/** The members of the project, and the user, by id. */
export async function assignableUsers(request: FastifyRequest, { em, project }: Pick<PageContext, 'em' | 'project'>) {
  const source = await findMemberSource(em, request.user, 'projects', String(project.id))
  const members = await listMembers(em, source, { isInherited: true }).list(maxMembers)

  return new Map([request.user, ...members.map(({ user }) => user)].map(({ id, username }) => [id, username]))
}

/** The groups of the project by id, which errors can be assigned to. */
export async function assignableGroups({ em, project }: Pick<PageContext, 'em' | 'project'>) {
  return new Map((await listAssigneeGroups(em, project.id)).map(({ id, full_path: path }) => [id, path]))
}
