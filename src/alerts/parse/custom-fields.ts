import { type Json, parseJson } from '#lib/json.ts'
import type { PayloadKind } from '../alert.ts'
import { attributes } from './mapping.ts'

export const standardFields: Record<PayloadKind, Set<string>> = {
  // Without a mapping, `status` has no meaning.
  generic: new Set<string>([...attributes.filter(attribute => attribute !== 'status'), 'gitlab_environment_name']),
  metrics: new Set([
    'title',
    'description',
    'runbook',
    'service_incident_markdown',
    'gitlab_incident_markdown',
    'service_y_label',
    'gitlab_y_label'
  ])
}

/** The members of a payload, or annotations of an item, that are not attributes of an alert. */
export function customFields(kind: PayloadKind, payload: string): Json {
  const parsed = parseJson(payload) as Json
  const members = kind === 'metrics' ? (parsed.annotations as Json | undefined) : parsed

  return Object.fromEntries(Object.entries(members ?? {}).filter(([name]) => !standardFields[kind].has(name)))
}
