import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type { Queues } from './queues.ts'

interface DashboardOptions {
  path: string
  queues: Queues
  /** Lets admins in, and answers everybody else itself. */
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

  app.addHook('onRequest', guard)
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode < 400) reply.header('content-security-policy', policy)
  })
  app.register(server.registerPlugin(), { prefix: path })
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
