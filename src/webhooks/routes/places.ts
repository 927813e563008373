import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { instance } from '../../audit/record-audit-event.ts'
import { NotFound } from '../../http/problems/problems.ts'
import { callerOf } from '../../identity/identify.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { findGroup, findProject } from '../../projects/find-project.ts'
import { Role } from '../../projects/members/member.ts'
import { type WebhookOwner, webhooksOf } from '../change-webhook.ts'
import { Webhook } from '../webhook.ts'
import type { Place } from '../webhook-schemas.ts'

/** Where webhooks are, and who manages them. */
export interface PlaceRoutes {
  place: Place
  path: string
}

export const places: PlaceRoutes[] = [
  { place: 'project', path: '/projects/:id/hooks' },
  { place: 'group', path: '/groups/:id/hooks' },
  { place: 'system', path: '/hooks' },
  { place: 'system', path: '/system_hooks' }
]

export function guardOf(app: FastifyInstance, place: Place) {
  const role = ({ project: 'maintainer', group: 'owner', system: 'admin' } as const)[place]

  return { onRequest: place === 'system' ? app.requireAdmin : app.requireUser, config: { role } }
}

export function paramsOf(place: Place, more: Record<string, Type.TSchema> = {}) {
  return Type.Object({ ...(place === 'system' ? {} : { id: Type.String() }), ...more })
}

export async function ownerOf(em: EntityManager, request: FastifyRequest, place: Place): Promise<WebhookOwner> {
  const { id } = request.params as unknown as { id: string }
  const viewer = callerOf(request)

  if (place === 'system') return { place, id: null, audited: instance }
  const found = place === 'project' ? await findProject(em, viewer, id, Role.maintainer) : await findGroup(em, viewer, id, Role.owner)

  return { place, id: found.id, audited: found.audited() }
}

/** The webhook that a request names, for those who manage it. */
export async function webhookOf(em: EntityManager, request: FastifyRequest, place: Place) {
  const owner = await ownerOf(em, request, place)
  const webhook = await em.findOne(Webhook, { id: (request.params as unknown as { hook_id: number }).hook_id, ...webhooksOf(owner) })

  if (!webhook) throw new NotFound('Hook')

  return { owner, webhook }
}
