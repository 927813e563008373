import type { CacheDefinition } from '../../platform/cache/caches.ts'
import { type CompiledRules, compileRules, defaultRules } from './rules.ts'

/** The rules of a project, by its id. Few have their own, so that what these remember of keys stays small. */
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

    return row && !isUsual(row) ? compile(row) : defaultRules
  }
}

interface RulesRow {
  is_scrubbing: boolean
  scrubbed_keys: string[]
  safe_keys: string[]
  keeps_ip_addresses: boolean
}

function isUsual({ is_scrubbing: isOn, scrubbed_keys: extra, safe_keys: safe, keeps_ip_addresses: keepsIpAddresses }: RulesRow) {
  return isOn && keepsIpAddresses && extra.length === 0 && safe.length === 0
}

function compile(row: RulesRow) {
  return compileRules({
    isOn: row.is_scrubbing,
    keepsIpAddresses: row.keeps_ip_addresses,
    extraKeys: row.scrubbed_keys,
    safeKeys: row.safe_keys
  })
}
