import type { Project } from '#projects/project.ts'
import type { Source } from '../parse/mapping.ts'
import type { Integration } from './integration.ts'
import { listFields } from './sample-payload.ts'

export function presentIntegration(integration: Integration, baseUrl: string, project: Project) {
  const { samplePayload } = integration
  const fields = samplePayload ? listFields(samplePayload) : []

  return {
    id: integration.id,
    project_id: integration.projectId,
    type: integration.kind,
    name: integration.name,
    active: integration.active,
    url: integration.kind === 'on_call' ? null : integration.url(baseUrl, project.fullPath),
    api_url: integration.apiUrl ?? null,
    external_url: integration.externalUrl ?? null,
    preset: integration.preset ?? null,
    payload_attribute_mappings: integration.mapping as Record<string, Source[]>,
    payload_example: samplePayload ?? null,
    payload_alert_fields: fields.map(({ path, label, type }) => ({ path, label, type })),
    created_at: integration.createdAt.toISOString(),
    updated_at: integration.updatedAt.toISOString()
  }
}
