import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import { findMemberSource, type MemberSource } from '#projects/members/member-source.ts'
import type { Html } from '../layout/html.ts'
import { groupContext } from '../namespaces/group-context.ts'
import { groupFrame } from '../namespaces/group-frame.ts'
import { pageContext } from '../projects/page-context.ts'
import { projectPage } from '../projects/project-page.ts'

/** A project or group whose members are shown. */
export interface MembersContext {
  em: EntityManager
  source: MemberSource
  name: string
  noun: 'project' | 'group'
  /** The path of the page. */
  url: string
  show: (reply: FastifyReply, content: Html) => FastifyReply
}

/** By the path of the page. Users who see the project or group see its members. */
export const membersContexts: Record<string, (request: FastifyRequest) => Promise<MembersContext>> = {
  '/projects/:id/members': async request => {
    const context = await pageContext(request, Role.guest)
    const { em, project, projectUrl } = context

    return {
      em,
      source: await findMemberSource(em, request.user, 'projects', String(project.id)),
      name: project.name,
      noun: 'project',
      url: `${projectUrl}/members`,
      show: (reply, content) => projectPage(reply, context, { title: 'Members', tab: 'members' }, content)
    }
  },
  '/groups/:id(^\\d{1,15}$)/-/members': async request => {
    const context = await groupContext(request)
    const { em, group, groupUrl } = context

    return {
      em,
      source: await findMemberSource(em, request.user, 'groups', String(group.id)),
      name: group.name,
      noun: 'group',
      url: `${groupUrl}/members`,
      show: (reply, content) => groupFrame(reply, context, { title: 'Members', tab: 'members' }, content)
    }
  }
}
