import { isHexSecret } from '../../identity/secrets.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { Application } from '../applications/application.ts'
import { InvalidClient } from '../errors.ts'
import { type ClientRequest, readClientCredentials } from './client-credentials.ts'

/** RFC 6749 §3.2.1: the application that sends a request; undefined when it does not say. */
export async function authenticateClient(em: EntityManager, request: ClientRequest) {
  const credentials = readClientCredentials(request)

  if (!credentials) return undefined
  const { id, secret, scheme } = credentials
  const application = isHexSecret(id) ? await em.findOne(Application, { uid: id }, { populate: ['owner'] }) : null

  if (!application?.accepts(secret)) throw new InvalidClient(scheme)

  return application
}

export async function requireClient(em: EntityManager, request: ClientRequest) {
  const application = await authenticateClient(em, request)

  if (!application) throw new InvalidClient()

  return application
}
