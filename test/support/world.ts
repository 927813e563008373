import type { FastifyInstance } from 'fastify'
import { type Logger, pino } from 'pino'
import { Registry } from 'prom-client'
import type { Test } from 'tap'
import { buildApp } from '../../src/app.ts'
import { boot, type Platform } from '../../src/boot.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { takeFirstSteps } from '../../src/first-steps.ts'
import { dispatchOnCommit } from '../../src/notifications/deliveries/enqueue-deliveries.ts'
import { workerMetrics } from '../../src/platform/observability/metrics.ts'
import type { Handler } from '../../src/platform/queue/handler.ts'
import { JobIsolation } from '../../src/platform/queue/job-isolation.ts'
import type { QueueSpec } from '../../src/platform/queue/queues.ts'
import { QueueWorker } from '../../src/platform/queue/worker.ts'
import { roster } from '../../workers/roster.ts'
import { checkResponses } from './check-responses.ts'
import {
  databaseUrl,
  giveNamespaceBack,
  newNamespace,
  noteFirstRows,
  noteShape,
  type QueueKind,
  redisUrl,
  removeNamespace,
  takeFirstRows,
  takeNamespace
} from './namespaces.ts'

export { databaseUrl, newNamespace, type QueueKind, redisUrl }

export const rootToken = 'glpat-root-token-for-the-tests'
export const rootPassword = 'the password of root'

export interface World {
  config: Config
  platform: Platform
  /** Begins to work a queue; closed with the world. */
  work: (queue?: string, handlers?: Handler[], settings?: { concurrency?: number; lockMs?: number }) => Promise<QueueWorker>
}

export interface WorldOptions {
  kind?: QueueKind
  env?: Record<string, string>
  queues?: Record<string, QueueSpec>
  namespace?: string
  log?: Logger
}

/** A platform in a schema and with queues of its own, gone with the test. */
export async function openWorld(t: Test, options: WorldOptions = {}): Promise<World> {
  const { kind = 'postgres', env = {}, queues, namespace: given, log = pino({ level: process.env.TEST_LOG ?? 'silent' }) } = options
  const isOrdinary = given === undefined && env.DATABASE_URL === undefined
  const { namespace, isNew } = isOrdinary ? await takeNamespace(kind) : { namespace: given ?? newNamespace(), isNew: false }
  const config = configFor(kind, namespace, env)
  const platform = await boot(config, { role: 'web', queues, log })
  const workers: QueueWorker[] = []

  if (isNew) await noteShape(namespace, kind)
  await platform.listener.open()
  t.teardown(async () => {
    await Promise.all(workers.map(worker => worker.close(5000)))
    await platform.close()
    await (isOrdinary ? giveNamespaceBack(namespace, kind) : removeNamespace(namespace))
  })

  return {
    config,
    platform,
    work: async (queue = 'errors', handlers = roster[queue] ?? [], { concurrency = 2, lockMs } = {}) => {
      const parts = { ...platform, em: platform.fork, metrics: workerMetrics(new Registry()), isolation: new JobIsolation() }
      const worker = new QueueWorker(queue, handlers, parts, { name: 'test', concurrency, lockMs })

      if (queue === 'deliveries') dispatchOnCommit(platform.listener, platform.queues, platform.log)
      await worker.start()
      workers.push(worker)

      return worker
    }
  }
}

/** The same with the web application on it, and its first admin, who has `rootToken`. */
export async function openApp(t: Test, options: WorldOptions = {}) {
  const world = await openWorld(t, options)
  const { namespace, root } = world.config
  const isUsual = root.password === rootPassword && root.token === rootToken && root.username === 'root'

  if (isUsual) await takeFirstRows(namespace)
  if ((await takeFirstSteps(world.platform)) && isUsual) await noteFirstRows(namespace)
  const app = await buildApp(world.platform, checkResponses)

  t.teardown(() => app.close())

  return { ...world, app, call: callWith(app) }
}

/** Calls the API with a token: by default the first admin's. */
function callWith(app: FastifyInstance) {
  return async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: object, token: string | null = rootToken) => {
    const response = await app.inject({ method, url: `/api/v4${url}`, payload: body, headers: token ? { 'private-token': token } : {} })

    return { status: response.statusCode, headers: response.headers, body: readBody(response) }
  }
}

function readBody({ body, headers }: { body: string; headers: Record<string, unknown> }) {
  return body && String(headers['content-type']).startsWith('application/json') ? JSON.parse(body) : body || undefined
}

export function configFor(kind: QueueKind, namespace: string, env: Record<string, string> = {}) {
  if (!databaseUrl) throw new Error('There is no test database. Run tests with: npm test -- path/to/file.test.ts')

  return readConfig({
    DATABASE_URL: databaseUrl,
    NAMESPACE: namespace,
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
    OVERLOAD_DELAY_MS: '0',
    OVERLOAD_HEAP_PERCENT: '0',
    ...env
  })
}

/** Runs a case on both backends, or says why it did not. */
export function onBothBackends(t: Test, name: string, run: (t: Test, kind: QueueKind) => Promise<void>) {
  t.test(`${name} (postgres)`, t => run(t, 'postgres'))
  t.test(`${name} (redis)`, { skip: redisUrl ? false : 'there is no Redis' }, t => run(t, 'redis'))
}

/** Waits for something to become true, looking often; fails the test when it never does. */
export async function eventually<T>(
  look: () => Promise<T | undefined | false | null> | T | undefined | false | null,
  what: string,
  patienceMs = 60_000
): Promise<T> {
  const endsAt = Date.now() + patienceMs

  while (Date.now() < endsAt) {
    const found = await look()

    if (found) return found
    await new Promise(resolve => setTimeout(resolve, 15))
  }
  throw new Error(`never happened: ${what}`)
}
