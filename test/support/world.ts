import type { FastifyInstance } from 'fastify'
import { type Logger, pino } from 'pino'
import { Registry } from 'prom-client'
import type { Test } from 'tap'
import { buildApp } from '#app.ts'
import { boot, type Platform } from '#boot.ts'
import type { Config } from '#config.ts'
import { isObject } from '#lib/json.ts'
import { dispatchOnCommit } from '#notifications/deliveries/enqueue-deliveries.ts'
import { type WorkerMetrics, workerMetrics } from '#platform/observability/worker-metrics.ts'
import type { Handler } from '#platform/queue/handler.ts'
import { JobIsolation } from '#platform/queue/job-isolation.ts'
import type { QueueSpec } from '#platform/queue/queues.ts'
import { QueueWorker } from '#platform/queue/worker.ts'
import { seedInstallation } from '#seed-installation.ts'
import { rosterOf } from '../../workers/roster.ts'
import { checkResponses } from './check-responses.ts'
import { configFor, redisUrl, rootPassword, rootToken } from './config.ts'
import { createDatabase, databaseUrl, dropDatabase, dropSchemas, newNamespace, type QueueKind } from './databases.ts'
import { emptyNamespace, type FirstRows, readFirstRows, removeKeys } from './emptying.ts'
import { eventually } from './eventually.ts'
import { atEndOfProcess } from './shared.ts'

export { configFor, databaseUrl, eventually, newNamespace, type QueueKind, redisUrl, rootPassword, rootToken }

const silent = pino({ level: process.env.TEST_LOG ?? 'silent' })

export interface World {
  config: Config
  platform: Platform
  /** Begins to work a queue; closed with the world. */
  work: (queue?: string, handlers?: Handler[], settings?: WorkSettings) => Promise<QueueWorker>
}

interface WorkSettings {
  concurrency?: number
  lockMs?: number
  /** What the worker counts; nothing looks at it by default. */
  metrics?: WorkerMetrics
}

export interface WorldOptions {
  kind?: QueueKind
  env?: Record<string, string>
  queues?: Record<string, QueueSpec>
  namespace?: string
  log?: Logger
  /** For tests that change the application or its settings: no other test uses this world. */
  isPrivate?: boolean
}

/** What tests of a process use one after the other: to open a platform and build the application takes longer than most tests. */
interface SharedWorld {
  /** Its kind of queue and its settings. */
  key: string
  config: Config
  platform: Platform
  close: () => Promise<void>
  firstRows: FirstRows
  app?: Promise<FastifyInstance>
  isTaken: boolean
}

const shared: SharedWorld[] = []

/** A platform with nothing but the first admin and the demo project; tests of a process with the same settings use one after the other. */
export async function openWorld(t: Test, options: WorldOptions = {}): Promise<World> {
  const { platform, config } = isShareable(options) ? await takeSharedWorld(t, options) : await openPrivateWorld(t, options)

  return { config, platform, work: workOn(t, platform) }
}

/** The same with the web application on it; `call` is the first admin's, who has `rootToken`. */
export async function openApp(t: Test, options: WorldOptions = {}) {
  const world = await openWorld(t, options)

  if (!isShareable(options)) await takeOwnFirstSteps(world, options)
  const app = await appOf(t, world)

  return { ...world, app, call: callWith(app) }
}

/** The template's first admin has the usual credentials. */
async function takeOwnFirstSteps({ platform, config }: World, { namespace, env = {} }: WorldOptions) {
  const isTemplates = !namespace && !env.DATABASE_URL

  if (isTemplates && !Object.keys(env).some(name => name.startsWith('ROOT_'))) return
  if (isTemplates) await emptyNamespace(config)
  await seedInstallation(platform)
}

/** Settings that are read when they are needed: worlds take them on. */
const lateSettings = /^(REPOSITORY_STORAGE|SPAM_|RECAPTCHA_)/

/** Settings whose effect is counted in the process, or that lead elsewhere. */
const ownSettings = /^(RATE_LIMIT|QUEUE|OVERLOAD|BATCH|PROJECT_EVENTS|ROOT_|DATABASE_|REDIS_URL|PROCESS_NAME|OTEL_)/

function isShareable({ env = {}, namespace, log, isPrivate }: WorldOptions) {
  return !namespace && !log && !isPrivate && !Object.keys(env).some(name => ownSettings.test(name))
}

/** Worlds that wait for the next test with the same settings. */
const maxIdle = 4

async function takeSharedWorld(t: Test, { kind = 'postgres', env = {}, queues }: WorldOptions) {
  const early = Object.entries(env).filter(([name]) => !lateSettings.test(name))
  const key = JSON.stringify([kind, early.sort(), queues])
  const world =
    shared.find(world => world.key === key && !world.isTaken) ??
    (await openSharedWorld(key, { kind, env: Object.fromEntries(early), queues }))

  configure(world, kind, env)
  world.isTaken = true
  t.teardown(async () => {
    await emptyNamespace(world.config, world.firstRows)
    world.isTaken = false
    // The one that was used last is found first, and closed last.
    shared.splice(shared.indexOf(world), 1)
    shared.unshift(world)
    for (const idle of shared.filter(world => !world.isTaken).slice(maxIdle)) await closeSharedWorld(idle)
  })

  return world
}

/** Also takes back what the test before has set. The groups of settings stay the same objects, which others hold. */
function configure({ config }: SharedWorld, kind: QueueKind, env: Record<string, string>) {
  const current: Record<string, unknown> = config
  const settings = configFor(kind, config.namespace, { DATABASE_URL: config.databaseUrl, ...env })

  for (const [name, value] of Object.entries(settings)) {
    const group = current[name]

    if (isObject(group) && isObject(value)) Object.assign(group, value)
    else current[name] = value
  }
}

async function openSharedWorld(key: string, options: WorldOptions) {
  const { config, platform, close } = await openPlatform(options)
  const world = { key, config, platform, close, firstRows: await readFirstRows(config), isTaken: true }

  if (shared.length === 0) atEndOfProcess(closeSharedWorlds)
  shared.push(world)

  return world
}

async function closeSharedWorld(world: SharedWorld) {
  shared.splice(shared.indexOf(world), 1)
  await (await world.app)?.close()
  await world.close()
}

async function closeSharedWorlds() {
  for (const world of [...shared]) await closeSharedWorld(world)
}

async function openPrivateWorld(t: Test, options: WorldOptions) {
  const { config, platform, close } = await openPlatform(options)

  t.teardown(close)

  return { config, platform }
}

/** In a database of its own, or in a schema that tests name, which may be there already. */
async function openPlatform({ kind = 'postgres', env = {}, queues, namespace: given, log = silent }: WorldOptions) {
  const namespace = given ?? newNamespace()
  const hasDatabase = !given && !env.DATABASE_URL
  const config = configFor(kind, namespace, hasDatabase ? { DATABASE_URL: await createDatabase(namespace, kind), ...env } : env)
  const platform = await boot(config, { role: 'web', queues, log })

  await platform.listener.open()

  return {
    config,
    platform,
    close: async () => {
      await platform.close()
      await removeKeys(namespace)
      await (hasDatabase ? dropDatabase(namespace) : dropSchemas(namespace))
    }
  }
}

async function appOf(t: Test, { platform }: World) {
  const world = shared.find(world => world.platform === platform)

  if (world) {
    world.app ??= buildApp(platform, checkResponses)

    return world.app
  }
  const app = await buildApp(platform, checkResponses)

  t.teardown(() => app.close())

  return app
}

function workOn(t: Test, platform: Platform): World['work'] {
  const workers: QueueWorker[] = []

  t.teardown(() => Promise.all(workers.map(worker => worker.close(5000))))

  return async (
    queue = 'errors',
    handlers = rosterOf(platform.extras)[queue] ?? [],
    { concurrency = 2, lockMs, metrics = workerMetrics(new Registry()) } = {}
  ) => {
    const parts = { ...platform, em: platform.fork, metrics, isolation: new JobIsolation() }
    const worker = new QueueWorker(queue, handlers, parts, { name: 'test', concurrency, lockMs })

    if (queue === 'deliveries') dispatchOnce(platform)
    await worker.start()
    workers.push(worker)

    return worker
  }
}

const dispatching = new WeakSet<Platform>()

function dispatchOnce(platform: Platform) {
  if (!dispatching.has(platform)) dispatchOnCommit(platform.listener, platform.queues, platform.log)
  dispatching.add(platform)
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

/** Runs a case on both backends, or says why it did not. */
export function onBothBackends(t: Test, name: string, run: (t: Test, kind: QueueKind) => Promise<void>) {
  t.test(`${name} (postgres)`, t => run(t, 'postgres'))
  t.test(`${name} (redis)`, { skip: redisUrl ? false : 'there is no Redis' }, t => run(t, 'redis'))
}

/** Quotas count by the minute: waits for the next one when this is about to end. */
export async function aYoungMinute() {
  const past = Date.now() % 60_000

  if (past > 40_000) await new Promise(resolve => setTimeout(resolve, 60_000 - past))
}
