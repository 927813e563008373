import type pg from 'pg'
import { Cache } from '#platform/cache/cache.ts'
import type { Listener } from '#platform/database/listener.ts'
import { type CompiledRules, compileRules, defaultRules } from './rules.ts'

/** The scrubbing rules of projects. Most projects share the default rules and their memoized keys. */
export class ProjectRules {
  #default = compileRules(defaultRules)
  #cache: Cache<CompiledRules>

  constructor(listener: Listener, pool: pg.Pool) {
    this.#cache = new Cache(listener, { name: 'scrub-rules', max: 1000, load: projectId => this.#load(pool, projectId) })
  }

  async of(projectId: number) {
    return (await this.#cache.get(String(projectId))) ?? this.#default
  }

  async #load(pool: pg.Pool, projectId: string) {
    const { rows } = await pool.query<RulesRow>({
      name: 'scrub-rules',
      text: 'SELECT is_scrubbing, scrubbed_keys, safe_keys, keeps_ip_addresses FROM error_settings WHERE project_id = $1',
      values: [projectId]
    })
    const [row] = rows

    return row && !isDefault(row) ? compile(row) : this.#default
  }
}

interface RulesRow {
  is_scrubbing: boolean
  scrubbed_keys: string[]
  safe_keys: string[]
  keeps_ip_addresses: boolean
}

function isDefault(row: RulesRow) {
  return row.is_scrubbing && row.keeps_ip_addresses && row.scrubbed_keys.length === 0 && row.safe_keys.length === 0
}

function compile(row: RulesRow) {
  return compileRules({
    isEnabled: row.is_scrubbing,
    keepsIpAddresses: row.keeps_ip_addresses,
    extraKeys: row.scrubbed_keys,
    safeKeys: row.safe_keys
  })
}
