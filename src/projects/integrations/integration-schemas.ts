import Type from 'typebox'
import { ById } from '../schemas.ts'
import { eventDefaults, integrationFields, integrationTypes } from './integration-types.ts'
import type { ProjectIntegration } from './project-integration.ts'

const events = Object.keys(eventDefaults) as (keyof typeof eventDefaults)[]

export const IntegrationParams = Type.Object({
  ...ById.properties,
  slug: Type.Enum(Object.keys(integrationTypes), { description: 'The name of the integration, such as `slack`.' })
})

export const IntegrationBody = Type.Object({
  ...integrationFields,
  ...Object.fromEntries(events.map(name => [name, Type.Optional(Type.Boolean())]))
})

export const IntegrationSummary = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  slug: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  active: Type.Boolean(),
  ...Object.fromEntries(events.map(name => [name, Type.Boolean()]))
})

export const IntegrationShape = Type.Object({
  ...IntegrationSummary.properties,
  properties: Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean()]), { description: 'Without secrets.' })
})

export function presentSummary({ id, slug, active, createdAt, updatedAt, events }: ProjectIntegration) {
  return {
    id,
    title: integrationTypes[slug]!.title,
    slug,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    active,
    ...eventDefaults,
    ...events
  }
}

export function presentIntegration(integration: ProjectIntegration) {
  return { ...presentSummary(integration), properties: integration.properties }
}
