import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { inflate } from '#lib/inflate.ts'
import { type Json, objectOrEmpty } from '#lib/json.ts'
import { slugOf } from '#monitors/slug.ts'
import { IngestError } from './ingest-error.ts'
import { bodyOf, encodingOf } from './request-body.ts'

interface Options {
  root: string
  route: RouteShorthandOptions
  enqueue: (request: FastifyRequest, envelope: Buffer) => Promise<string>
}

interface Route {
  Params: { project: string; monitor: string }
  Querystring: Record<string, string | undefined>
  Body: Buffer
}

const statuses = ['in_progress', 'ok', 'error']
const maxBytes = 100 << 10

/** Check-ins without an SDK: `curl …/api/1/cron/backup/KEY/?status=ok`. */
export async function cronEndpoint(app: FastifyInstance, { root, route, enqueue }: Options) {
  for (const path of [`${root}/cron/:monitor`, `${root}/cron/:monitor/:key`]) {
    app.route<Route>({
      method: ['GET', 'POST'],
      url: path,
      ...route,
      handler: async (request, reply) => {
        const checkIn = readCheckIn(request.params.monitor, { ...request.query }, readBody(request))
        const id = await enqueue(request, Buffer.from(`{}\n{"type":"check_in"}\n${JSON.stringify(checkIn)}\n`))

        return reply.code(202).send({ id: checkIn.check_in_id ?? id })
      }
    })
  }
}

function readBody(request: FastifyRequest<Route>): Json {
  const body = inflate(bodyOf(request), encodingOf(request), maxBytes).toString('utf8').trim()

  if (!body) return {}
  try {
    return objectOrEmpty(JSON.parse(body))
  } catch {
    throw new IngestError(400, 'The body is not JSON: send {"status": "ok"}, or name the status in the query.')
  }
}

function readCheckIn(monitor: string, query: Route['Querystring'], body: Json) {
  const {
    check_in_id: id = body.check_in_id,
    status = body.status ?? 'ok',
    environment = body.environment,
    duration = body.duration
  } = query

  if (!slugOf(monitor)) throw new IngestError(400, 'The name of the monitor in the path has no letter and no digit.')
  if (!statuses.includes(String(status))) throw new IngestError(400, `The status is none of ${statuses.join(', ')}.`)
  if (duration !== undefined && !(Number(duration) >= 0)) throw new IngestError(400, 'The duration is not a number of seconds.')

  return {
    monitor_slug: monitor,
    status,
    check_in_id: id,
    environment,
    ...(duration !== undefined && { duration: Number(duration) }),
    monitor_config: body.monitor_config
  }
}
