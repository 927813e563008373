import type { Telemetry } from 'bullmq'
import type { Logger } from 'pino'
import type { DatabaseOptions } from '../database/database.ts'
import { openPostgres } from './postgres-backend.ts'
import { openRedis } from './redis-backend.ts'

/** Redis when there is one, or else the Postgres that is there anyway. */
export function openBackend(config: DatabaseOptions & { redisUrl?: string | undefined }, log: Logger, telemetry?: Telemetry) {
  return config.redisUrl ? openRedis(config, config.redisUrl, log, telemetry) : openPostgres(config, log, telemetry)
}
