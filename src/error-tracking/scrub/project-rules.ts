import type { CacheDefinition } from '../../platform/cache/caches.ts'
import { type CompiledRules, compileRules, defaultRules } from './rules.ts'

/** The scrubbing rules of a project by its id. Most projects share the default rules and their memoized keys. */
export const projectRules: CacheDefinition<CompiledRules> = {
  name: 'scrub-rules',
  max: 1000,
  load: async (pool, projectId) => {
    const { rows } = await pool.query({
      name: 'scrub-rules',
      text: 'SELECT is_scrubbing, scrubbed_keys, safe_keys, keeps_ip_addresses FROM error_settings WHERE project_id = $1',
      values: [projectId]
    })
    const [row] = rows

    return row && !isDefault(row) ? compile(row) : defaultRules
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
