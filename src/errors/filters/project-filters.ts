import type pg from 'pg'
import { Cache } from '#platform/cache/cache.ts'
import type { Listener } from '#platform/database/listener.ts'
import type { InboundFilters } from './filter-event.ts'

/** The inbound filters of projects. */
export class ProjectFilters {
  #cache: Cache<InboundFilters | 'off'>

  constructor(listener: Listener, pool: pg.Pool) {
    this.#cache = new Cache(listener, { name: 'inbound-filters', max: 1000, load: projectId => loadFilters(pool, projectId) })
  }

  /** Undefined when all are off. */
  async of(projectId: number): Promise<InboundFilters | undefined> {
    const filters = await this.#cache.get(String(projectId))

    return filters === 'off' ? undefined : filters
  }
}

async function loadFilters(pool: pg.Pool, projectId: string): Promise<InboundFilters | 'off'> {
  const { rows } = await pool.query<InboundFilters>({
    name: 'inbound-filters',
    text: `SELECT filters_browser_extensions AS "browserExtensions", filters_web_crawlers AS "webCrawlers", filters_localhost AS localhost,
             filtered_releases AS releases, filtered_messages AS messages
           FROM error_settings WHERE project_id = $1`,
    values: [projectId]
  })
  const [row] = rows

  return row && !isOff(row) ? { ...row, releases: row.releases.map(lowerCase), messages: row.messages.map(lowerCase) } : 'off'
}

function isOff({ browserExtensions, webCrawlers, localhost, releases, messages }: InboundFilters) {
  return !(browserExtensions || webCrawlers || localhost) && releases.length + messages.length === 0
}

function lowerCase(text: string) {
  return text.toLowerCase()
}
