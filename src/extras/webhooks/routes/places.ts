import type { FastifyRequest } from 'fastify'
import { NotFound } from '#lib/refusals.ts'
import { columnsOf, ownerOf, type Place } from '#projects/place.ts'
import { Webhook } from '../webhook.ts'

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

/** The webhook that a request names, for those who manage it. */
export async function webhookOf(request: FastifyRequest, place: Place) {
  const owner = await ownerOf(request, place)
  const webhook = await request.em.findOne(Webhook, { id: (request.params as unknown as { hook_id: number }).hook_id, ...columnsOf(owner) })

  if (!webhook) throw new NotFound('Hook')

  return { owner, webhook }
}
