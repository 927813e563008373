import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { instance } from '../../audit/record-audit-event.ts'
import { NotFound } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { Role } from '../../projects/members/member.ts'
import { type WebhookOwner, webhooksOf } from '../../webhooks/change-webhook.ts'
import { Webhook } from '../../webhooks/webhook.ts'
import { adminPage } from '../admin/admin-page.ts'
import { groupContext } from '../groups/group-context.ts'
import { groupFrame } from '../groups/group-frame.ts'
import type { Html } from '../layout/html.ts'
import { pageContext } from '../projects/page-context.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'

/** A project, a group or the installation, whose webhooks are shown to those who manage them by REST. */
export interface WebhookPlace {
  em: EntityManager
  owner: WebhookOwner
  /** What its webhooks are called. */
  nouns: { one: string; many: string }
  /** The path of the list. */
  url: string
  show: (reply: FastifyReply, title: string, content: Html) => FastifyReply
}

type FindPlace = (request: FastifyRequest) => Promise<WebhookPlace>

/** What the routes of one kind of place need. */
export interface WebhookRoutes {
  path: string
  guard: { onRequest: onRequestAsyncHookHandler }
  find: FindPlace
}

const nouns = { one: 'Webhook', many: 'Webhooks' }
const tab = 'hooks'

const finders: Record<string, FindPlace> = {
  '/projects/:id/hooks': async request => {
    const context = await pageContext(request, Role.maintainer)
    const { em, project, projectUrl } = context

    return {
      em,
      owner: { place: 'project', id: project.id, audited: project.audited() },
      nouns,
      url: `${projectUrl}/hooks`,
      show: (reply, title, content) => projectPage(reply, context, { title, tab }, content)
    }
  },
  '/groups/:id(^\\d{1,15}$)/-/hooks': async request => {
    const context = await groupContext(request, Role.owner)
    const { em, group, groupUrl } = context

    return {
      em,
      owner: { place: 'group', id: group.id, audited: group.audited() },
      nouns,
      url: `${groupUrl}/hooks`,
      show: (reply, title, content) => groupFrame(reply, context, { title, tab }, content)
    }
  },
  '/admin/hooks': async ({ server }) => ({
    em: server.platform.fork(),
    owner: { place: 'system', id: null, audited: instance },
    nouns: { one: 'System hook', many: 'System hooks' },
    url: '/admin/hooks',
    show: (reply, title, content) => adminPage(reply, { title, tab: '/admin/hooks' }, content)
  })
}

export function webhookRoutesOf(app: FastifyInstance): WebhookRoutes[] {
  return Object.entries(finders).map(([path, find]) => ({
    path,
    guard: { onRequest: requirePerson(app, path.startsWith('/admin/') ? app.requireAdmin : app.requireUser) },
    find
  }))
}

/** The part of a path that names a webhook. */
export const webhookPart = ':hook(^\\d{1,15}$)'

/** The webhook that a request names. */
export async function findWebhook({ em, owner }: WebhookPlace, { params }: FastifyRequest) {
  const webhook = await em.findOne(Webhook, { id: Number((params as { hook: string }).hook), ...webhooksOf(owner) })

  if (!webhook) throw new NotFound('Webhook')

  return webhook
}
