import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '#audit/record-audit-event.ts'
import type { Config } from '#config.ts'
import { hashSecret } from '#identity/secrets.ts'
import { Rejected } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { Consent } from '../authorize/consent.ts'
import type { Application } from './application.ts'
import { recordApplicationEvent } from './record-application-event.ts'
import { newApplicationSecret } from './register-application.ts'
import { type ApplicationValues, validateApplication } from './validate-application.ts'

/** Users who consented to another name or redirect URI are asked again. Grants lose removed scopes at their next refresh. */
export async function updateApplication(
  em: EntityManager,
  actor: Actor,
  config: Config,
  application: Application,
  values: ApplicationValues
) {
  validateApplication(values, config)
  await em.transactional(async em => {
    await lockForChange(em, application)
    const { name, redirectUris } = application

    application.name = values.name
    application.redirectUris = [...new Set(values.redirectUris)]
    if (name !== application.name || !isDeepStrictEqual(redirectUris, application.redirectUris)) {
      await em.nativeDelete(Consent, { application: application.id })
    }
    application.scopes = [...new Set(values.scopes)]
    await recordApplicationEvent(em, actor, application, 'updated')
  })
}

/** The former secret ends at once; tokens stay valid. */
export async function renewSecret(em: EntityManager, actor: Actor, application: Application) {
  const secret = newApplicationSecret()

  if (!application.isConfidential) throw new Rejected('A public application has no secret')
  await em.transactional(async em => {
    await lockForChange(em, application)
    application.secretHash = hashSecret(secret)
    await recordApplicationEvent(em, actor, application, 'secret_renewed')
  })

  return secret
}

/** Its grants and tokens end at once. */
export async function deleteApplication(em: EntityManager, actor: Actor, application: Application) {
  await em.transactional(async em => {
    await lockForChange(em, application)
    await recordApplicationEvent(em, actor, application, 'deleted')
    em.remove(application)
  })
}
