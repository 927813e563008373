import { type EntityManager, query } from '#platform/database/database.ts'
import { type Runner, type RunnerInfo, statusAt } from './runner.ts'

interface MachineRow {
  id: number
  system_id: string
  info: RunnerInfo
  ip_address: string | null
  created_at: Date
  contacted_at: Date
}

const maxShown = 100

/** The machines that share the token of a runner, those heard of last first. */
export async function listMachines(em: EntityManager, { id }: Runner) {
  const rows = await query<MachineRow>(
    em,
    'SELECT * FROM ci_runner_managers WHERE runner_id = $1 ORDER BY contacted_at DESC, id DESC LIMIT $2',
    [id, maxShown]
  )
  const at = new Date()

  return rows.map(({ id, info, created_at: createdAt, contacted_at: contactedAt, ...row }) => ({
    id,
    system_id: row.system_id,
    version: info.version ?? null,
    revision: info.revision ?? null,
    platform: info.platform ?? null,
    architecture: info.architecture ?? null,
    created_at: createdAt.toISOString(),
    contacted_at: contactedAt.toISOString(),
    ip_address: row.ip_address,
    status: statusAt(at, contactedAt, createdAt)
  }))
}

export function recordMachine(em: EntityManager, runnerId: number, systemId: string, info: RunnerInfo, ip: string, at: Date) {
  return query(
    em,
    `INSERT INTO ci_runner_managers (runner_id, system_id, info, ip_address, contacted_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (runner_id, system_id) DO UPDATE SET info = excluded.info, ip_address = excluded.ip_address, contacted_at = excluded.contacted_at`,
    [runnerId, systemId, JSON.stringify(info), ip, at]
  )
}

/** False when the runner has no such machine. */
export async function removeMachine(em: EntityManager, runnerId: number, systemId: string) {
  const removed = await query(em, 'DELETE FROM ci_runner_managers WHERE runner_id = $1 AND system_id = $2 RETURNING id', [
    runnerId,
    systemId
  ])

  return removed.length > 0
}
