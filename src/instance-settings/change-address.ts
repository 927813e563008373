import Type, { type Static } from 'typebox'
import { type Actor, instance, recordAuditEvent } from '#audit/record-audit-event.ts'
import { Rejected, ValidationFailed } from '#lib/refusals.ts'
import { isPublicUrl, withoutSlash } from '#lib/web-url.ts'
import { invalidateCache } from '#platform/cache/invalidate-cache.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { getInstanceSetting } from './instance-setting.ts'
import { storedConfigName } from './stored-config.ts'

export const AddressBody = Type.Object({
  base_url: Type.String({ maxLength: 255, description: 'Empty for the address of the process.' })
})

type Config = { namespace: string; isBaseUrlGiven: boolean }

/** The address that links contain, in every process at once. */
export function changeAddress(em: EntityManager, config: Config, { base_url: given }: Static<typeof AddressBody>, by: Actor) {
  if (config.isBaseUrlGiven) throw new Rejected('BASE_URL sets the address')
  checkAddress(given)
  const baseUrl = given && withoutSlash(new URL(given).href)

  return em.transactional(async em => {
    const setting = await getInstanceSetting(em)

    await lockForChange(em, setting)
    if (setting.baseUrl === baseUrl) return
    recordAuditEvent(em, by, {
      name: 'instance_settings_updated',
      entity: instance,
      details: { baseUrl: { from: setting.baseUrl, to: baseUrl } }
    })
    setting.baseUrl = baseUrl
    await em.flush()
    await invalidateCache(em, config, storedConfigName)
  })
}

export function checkAddress(given: string) {
  if (given && !isPublicUrl(given)) {
    throw new ValidationFailed({
      base_url: ['enter an address such as https://tocsin.example.com, without a user name, query or fragment']
    })
  }
}
