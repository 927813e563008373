import { timingSafeEqual } from 'node:crypto'
import { hashSecret, isHexSecret } from '#identity/secrets.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { Application } from './applications/application.ts'
import { type ClientRequest, readClientCredentials } from './client-credentials.ts'
import { InvalidClient } from './errors.ts'

/** The application that sends a request. */
export type Client = Pick<Application, 'id' | 'uid' | 'name' | 'scopes' | 'isConfidential'>

/** RFC 6749 §3.2.1: the application that sends a request; undefined when it does not say. */
export async function authenticateClient(em: EntityManager, request: ClientRequest): Promise<Client | undefined> {
  const credentials = readClientCredentials(request)

  if (!credentials) return undefined
  const { id, secret, scheme } = credentials
  const client = isHexSecret(id) ? await findClient(em, id) : undefined

  if (!client || !isSecretOf(client, secret)) throw new InvalidClient(scheme)

  return client
}

export async function requireClient(em: EntityManager, request: ClientRequest) {
  const client = await authenticateClient(em, request)

  if (!client) throw new InvalidClient()

  return client
}

async function findClient(em: EntityManager, uid: string) {
  return em
    .getKysely<Tables>()
    .selectFrom('oauth_applications')
    .where('uid', '=', uid)
    .select(['id', 'uid', 'name', 'scopes', 'is_confidential as isConfidential', 'secret_hash as secretHash'])
    .executeTakeFirst()
}

/** Public clients have no secret (RFC 6749 §2.1). */
function isSecretOf({ secretHash, isConfidential }: Pick<Application, 'secretHash' | 'isConfidential'>, secret: string | undefined) {
  if (!secretHash) return !isConfidential && secret === undefined

  return secret !== undefined && timingSafeEqual(hashSecret(secret), secretHash)
}
