import { type Reasons, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Mapping } from '../parse/mapping.ts'
import { Integration, type IntegrationKind } from './integration.ts'
import { sampleError } from './sample-payload.ts'

export interface IntegrationValues {
  name?: string
  active?: boolean
  apiUrl?: string | null
  externalUrl?: string | null
  preset?: string | null
  mapping?: Mapping
  samplePayload?: string | null
}

const maxIntegrations = 100
const maxLength = { name: 255, address: 2048 }

/** Throws the reasons by the attribute's name in the API. */
export function validateIntegration({ name, kind, apiUrl, externalUrl, samplePayload }: IntegrationValues & { kind: IntegrationKind }) {
  const reasons: Reasons = {
    ...reasonFor('name', !name?.trim() ? 'must not be empty' : tooLong(name, maxLength.name)),
    ...reasonFor('api_url', apiUrl && urlError(apiUrl)),
    ...reasonFor('external_url', externalUrl ? urlError(externalUrl) : kind === 'on_call' && 'must not be empty'),
    ...reasonFor('payload_example', samplePayload && sampleError(samplePayload))
  }

  if (Object.keys(reasons).length > 0) throw new ValidationFailed(reasons)
}

/** Limits the number of integrations, and keeps an on-call link from being active together with others. */
export async function checkConflicts(em: EntityManager, { id, projectId, kind, active }: Integration) {
  const siblings = await em.find(Integration, { projectId, ...(id && { id: { $ne: id } }) }, { fields: ['kind', 'active'] })
  const hasConflict = siblings.some(sibling => sibling.active && (kind === 'on_call' || sibling.kind === 'on_call'))

  if (siblings.length >= maxIntegrations) throw new ValidationFailed({ base: [`must not be more than ${maxIntegrations} in a project`] })
  if (active && hasConflict) throw new ValidationFailed({ active: [conflicts[kind === 'on_call' ? 'link' : 'others']] })
}

const conflicts = {
  link: 'must be off while other integrations are active: turn those off first',
  others: 'must be off while the on-call link is active: turn that off first'
}

function reasonFor(attribute: string, reason: string | false | null | undefined) {
  return reason && { [attribute]: [reason] }
}

/** Rendered as a link: only web addresses, no `javascript:`. */
function urlError(address: string) {
  const { protocol } = URL.parse(address) ?? {}

  if (protocol !== 'http:' && protocol !== 'https:') return 'must be an address such as https://example.com'

  return tooLong(address, maxLength.address)
}

function tooLong(text: string, length: number) {
  return text.length > length && `must have at most ${length} characters`
}
