import type { PayloadKind } from '../alert.ts'
import { attributes } from './mapping.ts'
import type { Json } from './report.ts'

const standardFields: Record<PayloadKind, Set<string>> = {
  generic: new Set([...attributes, 'gitlab_environment_name']),
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

/** What a payload says beyond what an alert has a place for, as it was sent. */
export function customFields(kind: PayloadKind, payload: string): Json {
  const said = JSON.parse(payload) as Json
  const members = kind === 'metrics' ? (said.annotations as Json | undefined) : said

  return Object.fromEntries(Object.entries(members ?? {}).filter(([name]) => !standardFields[kind].has(name)))
}
