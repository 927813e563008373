import type { FastifyInstance } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { counted } from '#lib/counted.ts'
import { adminPage } from '#pages/admin/admin-page.ts'
import { flash } from '#pages/layout/flash.ts'
import { textOf } from '#pages/layout/forms.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { ofTenMinutes } from '#platform/observability/samples/levels.ts'
import { retryFailures } from '#platform/queue/failed-jobs.ts'
import { listUnfinishedTasks } from '#tasks/list-tasks.ts'
import { findProblems } from './find-problems.ts'
import { healthView } from './health-view.ts'
import { periods, readHistory } from './periods.ts'
import { readHealth } from './read-health.ts'

const path = '/admin'

/** What an admin looks at first: whether all is well, and how the last hour, day and month went. */
export async function healthPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app, app.requireAdmin) }
  const { platform } = app

  app.get<{ Querystring: { period?: string } }>(path, guard, async (request, reply) => {
    const { em, query } = request
    const now = new Date()
    const period = (Object.hasOwn(periods, query.period ?? '') && periods[query.period!]) || periods.hour!
    const history = await readHistory(em, period, now)
    const sizes =
      period === periods.hour ? await readHistory(em, { ...period, level: ofTenMinutes, stepSeconds: 600, steps: 7 }, now) : history
    const health = await readHealth(em, platform, now)
    const tasks = await listUnfinishedTasks(em)
    const problems = findProblems(health, { queueItems: platform.config.queue.limit, now })

    return adminPage(reply, { title: 'Health', tab: path }, healthView(request, { health, problems, tasks, period, history, sizes, now }))
  })

  app.post('/admin/failed_jobs/retry', guard, async (request, reply) => {
    const [queue, job, reason] = ['queue', 'job', 'reason'].map(name => textOf(request, name)) as [string, string, string]
    const retried = await retryFailures(platform.queues, { queue, job, reason })

    flash(reply, retried > 0 ? `${counted(retried, 'job')} will run again.` : 'These jobs have been retried or removed already.')

    return redirect(reply, `${path}#failed`)
  })
}
