import { readConfig } from '#config.ts'
import { databaseUrl, type QueueKind } from './databases.ts'

export const redisUrl = process.env.TEST_REDIS_URL ?? ''
export const rootToken = 'glpat-root-token-for-the-tests'
export const rootPassword = 'the password of root'

/** The settings of tests; `npm test` names the directory. */
export function configFor(kind: QueueKind, namespace: string, env: Record<string, string> = {}) {
  if (!databaseUrl) throw new Error('There is no test database. Run tests with: npm test -- path/to/file.test.ts')

  const config = readConfig({
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'replaced below by the key in DATA_DIR',
    NAMESPACE: namespace,
    DATA_DIR: process.env.TEST_DATA_DIR,
    ...(kind === 'redis' && { REDIS_URL: redisUrl }),
    ROOT_TOKEN: rootToken,
    ROOT_PASSWORD: rootPassword,
    BASE_URL: 'http://tocsin.test',
    DATABASE_POOL: '4',
    LOG_LEVEL: 'silent',
    // Many people at one address, and machines that others use too: both are tested where they are meant.
    RATE_LIMIT_USER: '0',
    RATE_LIMIT_IP: '0',
    RATE_LIMIT_SIGN_IN: '0',
    RATE_LIMIT_TOKENS: '0',
    // Receivers of the tests listen on this machine.
    OUTBOUND_PRIVATE_NETWORKS: 'true',
    OVERLOAD_DELAY_MS: '0',
    OVERLOAD_HEAP_PERCENT: '0',
    EXTRAS: process.env.EXTRAS,
    ...env
  })

  // Beside other tests, five seconds are not enough.
  return { ...config, secretKey: env.SECRET_KEY, connectionTimeoutMs: 60_000 }
}
