import Fastify, { type FastifyInstance, type onRequestAsyncHookHandler } from 'fastify'
import type { Queues } from '../queue/queues.ts'

interface DashboardOptions {
  path: string
  queues: Queues
  /** Lets admins in, and answers everybody else itself. The headers that it sets go out with all of the dashboard. */
  guard: onRequestAsyncHookHandler
}

/** Its page is a program of its own: scripts and data from here, styles as it likes, nothing from elsewhere. */
const policy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
  "frame-ancestors 'none'"
].join('; ')

/** Enough of an item to know it by; a batch of bodies is too much for a browser. */
const longestText = 300

/** Every queue, for admins: what waits, runs and failed, with the means to try again and to clean up. */
export async function dashboard(app: FastifyInstance, { path, queues, guard }: DashboardOptions) {
  let board: Promise<FastifyInstance> | undefined

  const handOver: onRequestAsyncHookHandler = async (request, reply) => {
    board ??= openBoard(path, queues)
    const { routing } = await board

    for (const [name, value] of Object.entries({ ...reply.getHeaders(), 'content-security-policy': policy })) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    reply.hijack()
    routing(request.raw, reply.raw)
  }

  for (const url of [path, `${path}/*`]) app.all(url, { onRequest: [guard, handOver] }, () => {})
  app.addHook('onClose', async () => (await board)?.close())
}

/** Loaded when somebody looks for the first time: it takes more memory than a thousand requests. */
async function openBoard(path: string, queues: Queues) {
  const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/fastify')
  ])
  const board = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  const server = new FastifyAdapter()
  const adapters = queues.names.map(name => {
    const adapter = new BullMQAdapter(queues.get(name), {
      displayName: titleOf(name),
      description: `the ${name} queue, on ${queues.backend.name}`
    })

    adapter.setFormatter('data', shorten)
    return adapter
  })

  server.setBasePath(path)
  createBullBoard({
    queues: adapters,
    serverAdapter: server,
    options: {
      uiConfig: {
        boardTitle: 'Tocsin queues',
        miscLinks: [{ text: 'Processes', url: '/admin/processes' }],
        hideRedisDetails: queues.backend.name === 'postgres'
      }
    }
  })

  await board.register(server.registerPlugin(), { prefix: path })
  await board.ready()

  return board
}

function titleOf(name: string) {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longestText ? `${value.slice(0, longestText)}… (${value.length} characters)` : value
  if (Array.isArray(value)) return value.map(shorten)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner)]))

  return value
}
