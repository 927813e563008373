import Fastify, { type FastifyInstance, type onRequestAsyncHookHandler } from 'fastify'
import { type JobData, projectsOf } from '#platform/queue/job.ts'
import type { Queues } from '#platform/queue/queues.ts'

interface DashboardOptions {
  path: string
  queues: Queues
  /** The URL of the logo and icon. */
  icon: string
  /** Rejects everyone but admins. Headers that it sets are sent with every response of the dashboard. */
  guard: onRequestAsyncHookHandler
}

/** bull-board is a single-page app with inline styles. */
const policy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
  "frame-ancestors 'self'"
].join('; ')

/** Ctrl+K is the key of our own search, which is in sight beside the board. */
const ownStyle = '<style>kbd { display: none !important }</style></head>'

/** The entry page loads a font from another host. */
const otherHosts = /<link href="https?:[^<>]*>/g

/** bull-board for admins: waiting, active and failed jobs of every queue, with retry and clean. The page of the queues shows it in a frame. */
export async function dashboard(app: FastifyInstance, { path, queues, icon, guard }: DashboardOptions) {
  let board: Promise<FastifyInstance> | undefined

  const forward: onRequestAsyncHookHandler = async (request, reply) => {
    board ??= openBoard({ path, queues, icon })
    const { routing } = await board

    for (const [name, value] of Object.entries({ ...reply.getHeaders(), 'content-security-policy': policy })) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    reply.hijack()
    routing(request.raw, reply.raw)
  }

  for (const url of [path, `${path}/*`]) app.all(url, { onRequest: [guard, forward] }, () => {})
  app.addHook('onClose', async () => (await board)?.close())
}

/** Loaded on first use, because it takes several megabytes. */
async function openBoard({ path, queues, icon }: Omit<DashboardOptions, 'guard'>) {
  const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/fastify')
  ])
  const board = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  const server = new FastifyAdapter()
  const adapters = queues.names.map(name => {
    const adapter = new BullMQAdapter(queues.get(name), {
      description: `The queue ${name}, on ${queues.backend.name}`
    })

    adapter.setFormatter('data', describe)
    return adapter
  })

  server.setBasePath(path)
  createBullBoard({
    queues: adapters,
    serverAdapter: server,
    options: {
      uiConfig: {
        boardTitle: 'Jobs',
        boardLogo: { path: icon, width: 24, height: 24 },
        favIcon: { default: icon, alternative: icon },
        hideDocsLink: true,
        // BullMQ finds no workers on Postgres; our page counts those that send heartbeats.
        showWorkers: false,
        hideRedisDetails: queues.backend.name === 'postgres'
      }
    }
  })

  board.addHook('onSend', async (_request, _reply, page) =>
    typeof page === 'string' ? page.replaceAll(otherHosts, '').replace('</head>', ownStyle) : page
  )
  await board.register(server.registerPlugin(), { prefix: path })
  await board.ready()

  return board
}

/** The items are not shown: they hold what users sent. */
function describe(data: JobData) {
  const { sealed, items = [], count = items.length, projects = projectsOf(items), ...rest } = data

  return { items: count, projects, ...rest }
}
