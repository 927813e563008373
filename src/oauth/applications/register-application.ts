import type { Actor } from '#audit/record-audit-event.ts'
import type { Config } from '#config.ts'
import { hashSecret, newHexSecret } from '#identity/secrets.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Application } from './application.ts'
import { recordApplicationEvent } from './record-application-event.ts'
import { type ApplicationValues, validateApplication } from './validate-application.ts'

export interface NewApplication extends ApplicationValues {
  isConfidential: boolean
  /** None for the whole instance. */
  ownerId?: number
  /** It registers itself (RFC 7591). */
  isDynamic?: boolean
}

/** The secret is available only now: the database stores its hash. A public application has none. */
export async function registerApplication(em: EntityManager, actor: Actor, config: Config, input: NewApplication) {
  const { name, redirectUris, scopes, isConfidential, ownerId, isDynamic = false } = input

  validateApplication(input, config)
  const secret = isConfidential ? newApplicationSecret() : undefined

  return em.transactional(async em => {
    const application = em.create(Application, {
      uid: newHexSecret(),
      secretHash: secret ? hashSecret(secret) : null,
      name,
      redirectUris: [...new Set(redirectUris)],
      scopes: [...new Set(scopes)],
      isConfidential,
      isDynamic,
      owner: ownerId ?? null
    })

    await em.flush()
    await recordApplicationEvent(em, actor, application, 'created')

    return { application, secret }
  })
}

export function newApplicationSecret() {
  return newHexSecret('gloas-')
}
