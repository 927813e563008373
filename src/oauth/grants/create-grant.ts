import type { EntityManager, Tables } from '#platform/database/database.ts'
import { checkScopesOfUser } from '../requested-scopes.ts'
import type { Grant } from './grant.ts'
import { type GrantParties, recordGrantEvent } from './record-grant-event.ts'
import type { TokenRequest } from './token-request.ts'

type NewGrant = GrantParties & Partial<Pick<Grant, 'redirectUri' | 'authTime'>>

/** Every grant is created here, and recorded, in the transaction of the exchange. */
export async function createGrant({ em, actor, at }: TokenRequest, grant: NewGrant) {
  checkScopesOfUser(grant.scopes, grant.user)
  const id = await insertGrant(em, grant, at)

  recordGrantEvent(em, actor, grant, 'created')

  return { ...grant, id }
}

async function insertGrant(em: EntityManager, { type, application, user, scopes, redirectUri, authTime }: NewGrant, at: Date) {
  const { id } = await em
    .getKysely<Tables>()
    .insertInto('oauth_grants')
    .values({
      type,
      application_id: application?.id ?? null,
      user_id: user?.id ?? null,
      scopes,
      redirect_uri: redirectUri ?? null,
      auth_time: authTime ?? null,
      created_at: at
    })
    .returning('id')
    .executeTakeFirstOrThrow()

  return id
}
