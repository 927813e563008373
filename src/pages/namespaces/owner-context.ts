import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { instance } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Role } from '#projects/members/member.ts'
import type { Owner } from '#projects/owner.ts'
import { adminPage } from '../admin/admin-page.ts'
import type { Html } from '../layout/html.ts'
import { pageContext } from '../projects/page-context.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { groupContext } from './group-context.ts'
import { groupFrame } from './group-frame.ts'

/** A project, a group or the installation, shown to those who manage it. */
export interface OwnerContext {
  em: EntityManager
  owner: Owner
  /** The path of the list. */
  url: string
  show: (reply: FastifyReply, title: string, content: Html) => FastifyReply
}

/** What the routes of one kind of owner need. */
export interface OwnerPages {
  path: string
  guard: { onRequest: onRequestAsyncHookHandler }
  find: (request: FastifyRequest) => Promise<OwnerContext>
}

/** Pages with the same name in projects, in groups and in the admin area. */
export function ownerPagesOf(app: FastifyInstance, segment: string): OwnerPages[] {
  return [inProjects(app, segment), inGroups(app, segment), inAdminArea(app, segment)]
}

function inProjects(app: FastifyInstance, segment: string): OwnerPages {
  return {
    path: `/projects/:id/${segment}`,
    guard: { onRequest: requirePerson(app) },
    find: async request => {
      const context = await pageContext(request, Role.maintainer)
      const { em, project, projectUrl } = context

      return {
        em,
        owner: { kind: 'project', id: project.id, audited: project.audited() },
        url: `${projectUrl}/${segment}`,
        show: (reply, title, content) => projectPage(reply, context, { title, tab: segment }, content)
      }
    }
  }
}

function inGroups(app: FastifyInstance, segment: string): OwnerPages {
  return {
    path: `/groups/:id(^\\d{1,15}$)/-/${segment}`,
    guard: { onRequest: requirePerson(app) },
    find: async request => {
      const context = await groupContext(request, Role.owner)
      const { em, group, groupUrl } = context

      return {
        em,
        owner: { kind: 'group', id: group.id, audited: group.audited() },
        url: `${groupUrl}/${segment}`,
        show: (reply, title, content) => groupFrame(reply, context, { title, tab: segment }, content)
      }
    }
  }
}

function inAdminArea(app: FastifyInstance, segment: string): OwnerPages {
  const url = `/admin/${segment}`

  return {
    path: url,
    guard: { onRequest: requirePerson(app, app.requireAdmin) },
    find: async ({ server }) => ({
      em: server.platform.fork(),
      owner: { kind: 'system', id: null, audited: instance },
      url,
      show: (reply, title, content) => adminPage(reply, { title, tab: url }, content)
    })
  }
}
