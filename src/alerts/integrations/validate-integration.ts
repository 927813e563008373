import { type Reasons, ValidationFailed } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import type { Mapping } from '../parse/mapping.ts'
import { Integration, type IntegrationKind } from './integration.ts'
import { sampleError } from './sample-payload.ts'

/** What somebody may decide of an integration. */
export interface IntegrationValues {
  name?: string
  active?: boolean
  apiUrl?: string | null
  externalUrl?: string | null
  mapping?: Mapping
  samplePayload?: string | null
}

const maxIntegrations = 100
const maxLength = { name: 255, address: 2048 }

/** Refuses what is wrong with an integration, each reason under the attribute's name in the API. */
export function validateIntegration({ name, kind, apiUrl, externalUrl, samplePayload }: IntegrationValues & { kind: IntegrationKind }) {
  const reasons: Reasons = {
    ...reason('name', !name?.trim() ? 'must not be empty' : tooLong(name, maxLength.name)),
    ...reason('api_url', apiUrl && urlError(apiUrl)),
    ...reason('external_url', externalUrl ? urlError(externalUrl) : kind === 'on_call' && 'must not be empty'),
    ...reason('payload_example', samplePayload && sampleError(samplePayload))
  }

  if (Object.keys(reasons).length > 0) throw new ValidationFailed(reasons)
}

/** Refuses one integration too many, and an on-call link that is active beside others. */
export async function checkConflicts(em: EntityManager, { id, projectId, kind, active }: Integration) {
  const others = await em.find(Integration, { projectId, ...(id && { id: { $ne: id } }) }, { fields: ['kind', 'active'] })
  const inTheWay = others.some(other => other.active && (kind === 'on_call' || other.kind === 'on_call'))

  if (others.length >= maxIntegrations) throw new ValidationFailed({ base: [`must not be more than ${maxIntegrations} in a project`] })
  if (active && inTheWay) throw new ValidationFailed({ active: [conflicts[kind === 'on_call' ? 'link' : 'others']] })
}

const conflicts = {
  link: 'must be off while other integrations are active: turn those off first',
  others: 'must be off while the on-call link is active: turn that off first'
}

function reason(attribute: string, said: string | false | null | undefined) {
  return said && { [attribute]: [said] }
}

/** People follow it: nothing but the web. */
function urlError(address: string) {
  const { protocol } = URL.parse(address) ?? {}

  if (protocol !== 'http:' && protocol !== 'https:') return 'must be an address such as https://example.com'

  return tooLong(address, maxLength.address)
}

function tooLong(text: string, length: number) {
  return text.length > length && `must have at most ${length} characters`
}
