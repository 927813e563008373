import type pg from 'pg'
import { Cache } from '#platform/cache/cache.ts'
import type { Listener } from '#platform/database/listener.ts'
import { compileRules, readRules } from './owner-rules.ts'

export interface ProjectOwners {
  findRule: ReturnType<typeof compileRules>
  autoAssigns: boolean
}

export const ownersCache = 'error-owners'

/** The compiled ownership rules of projects. */
export class OwnerRules {
  #cache: Cache<ProjectOwners | 'none'>

  constructor(listener: Listener, pool: pg.Pool) {
    this.#cache = new Cache(listener, { name: ownersCache, max: 1000, load: projectId => loadOwners(pool, projectId) })
  }

  /** Undefined when the project has no rules. */
  async of(projectId: number): Promise<ProjectOwners | undefined> {
    const owners = await this.#cache.get(String(projectId))

    return owners === 'none' ? undefined : owners
  }
}

async function loadOwners(pool: pg.Pool, projectId: string): Promise<ProjectOwners | 'none'> {
  const { rows } = await pool.query<{ rules: string; autoAssigns: boolean }>({
    name: 'error-owners',
    text: 'SELECT rules, auto_assigns AS "autoAssigns" FROM error_ownership WHERE project_id = $1',
    values: [projectId]
  })
  const [row] = rows
  const { rules } = readRules(row?.rules ?? '')

  return row && rules.length > 0 ? { findRule: compileRules(rules), autoAssigns: row.autoAssigns } : 'none'
}
