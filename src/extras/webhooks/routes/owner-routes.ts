import type { FastifyRequest } from 'fastify'
import { NotFound } from '#lib/refusals.ts'
import { columnsOf, type OwnerKind, ownerOf } from '#projects/owner.ts'
import { Webhook } from '../webhook.ts'

export interface OwnerRoutes {
  ownerKind: OwnerKind
  path: string
}

export const owners: OwnerRoutes[] = [
  { ownerKind: 'project', path: '/projects/:id/hooks' },
  { ownerKind: 'group', path: '/groups/:id/hooks' },
  { ownerKind: 'system', path: '/hooks' },
  { ownerKind: 'system', path: '/system_hooks' }
]

/** The webhook that a request names, for those who manage it. */
export async function webhookOf(request: FastifyRequest, ownerKind: OwnerKind) {
  const owner = await ownerOf(request, ownerKind)
  const webhook = await request.em.findOne(Webhook, { id: (request.params as unknown as { hook_id: number }).hook_id, ...columnsOf(owner) })

  if (!webhook) throw new NotFound('Hook')

  return { owner, webhook }
}
