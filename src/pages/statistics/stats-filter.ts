import type { FastifyRequest } from 'fastify'

export interface StatsFilter {
  days: number
  keyId?: number
  category?: string
}

export const periods = [7, 30, 90]

/** Unknown values are replaced by the defaults. */
export function readStatsFilter({ query }: FastifyRequest): StatsFilter {
  const { days, key, category } = query as Record<string, unknown>

  return {
    days: periods.find(period => String(period) === days) ?? 30,
    keyId: typeof key === 'string' && /^\d{1,15}$/.test(key) ? Number(key) : undefined,
    category: typeof category === 'string' && /^[a-z_]{1,50}$/.test(category) ? category : undefined
  }
}
