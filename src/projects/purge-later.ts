import type { FastifyRequest } from 'fastify'
import { purgeProjects } from './jobs.ts'

/** What is left behind goes with time anyway: that it could not be queued is not told to the caller. */
export async function purgeLater({ server, log }: FastifyRequest, projectIds: number[]) {
  for (let n = 0; n < projectIds.length; n += 1000) {
    await server.platform.queues
      .enqueue(purgeProjects, { projectIds: projectIds.slice(n, n + 1000) })
      .catch(error => log.warn({ err: error }, 'what removed projects leave behind is not purged'))
  }
}
