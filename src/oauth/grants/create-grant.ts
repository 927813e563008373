import type { RequiredEntityData } from '@mikro-orm/core'
import { Grant } from './grant.ts'
import { recordGrantEvent } from './record-grant-event.ts'
import type { TokenRequest } from './token-request.ts'

/** Every grant is created here, and recorded, in the transaction of the exchange. */
export function createGrant({ em, actor, at }: TokenRequest, attributes: Omit<RequiredEntityData<Grant>, 'createdAt'>) {
  const grant = em.create(Grant, { ...attributes, createdAt: at })

  recordGrantEvent(em, actor, grant, 'created')

  return grant
}
