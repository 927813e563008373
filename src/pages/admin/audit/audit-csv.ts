import type { AuditEventRow } from '#audit/list-audit-events.ts'
import type { Keyset } from '#platform/database/list.ts'

export const maxExported = 200_000
const batchSize = 1000

type Cell = (event: AuditEventRow) => unknown

const columns: Record<string, Cell> = {
  id: event => event.id,
  time: event => event.created_at,
  event: event => event.name,
  author: event => event.details.author_username,
  impersonated_by: event => event.details.impersonated_by,
  entity_type: event => event.entity_type,
  entity_id: event => event.entity_id,
  entity: event => event.details.entity_path,
  target_type: event => event.details.target_type,
  target_id: event => event.details.target_id,
  target: event => event.details.target_details,
  ip_address: event => event.details.ip_address,
  details: event => JSON.stringify(event.details)
}

/** The rows of a CSV file, one batch in memory at a time. */
export async function* auditCsv(events: Keyset<AuditEventRow>, max: number) {
  yield line(Object.keys(columns))

  for (let after: (string | number)[] | undefined, count = 0; count < max; ) {
    const batch = await events.read({ after, limit: Math.min(batchSize, max - count) })

    if (batch.length === 0) return
    yield batch.map(event => line(Object.values(columns).map(cell => cell(event)))).join('')
    count += batch.length
    after = events.positionOf(batch.at(-1)!)
  }
}

function line(cells: unknown[]) {
  return `${cells.map(quote).join(',')}\r\n`
}

/** A spreadsheet runs what begins like a formula; an apostrophe makes it text. */
function quote(value: unknown) {
  const text = String(value ?? '')
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text

  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
