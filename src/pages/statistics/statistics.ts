import type { FastifyInstance } from 'fastify'
import { ClientKey } from '#errors/settings/client-key.ts'
import { readKeyStats } from '#errors/stats/key-stats.ts'
import { readStats } from '#errors/stats/read-stats.ts'
import { Role } from '#projects/members/member.ts'
import { html } from '../layout/html.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { filterForm } from './filter-form.ts'
import { outcomeCharts } from './outcome-charts.ts'
import { readStatsFilter } from './stats-filter.ts'

const dayMs = 86_400_000
const maxKeys = 100

/** What became of the items of a project, by day: outcomes, categories, client keys and reasons. */
export async function statisticsPage(app: FastifyInstance) {
  app.get('/projects/:id/statistics', { onRequest: requirePerson(app) }, async (request, reply) => {
    const context = await pageContext(request, Role.reporter)
    const filter = readStatsFilter(request)
    const days = daysUntil(new Date(), filter.days)
    const span = { projectId: context.project.id, keyId: filter.keyId, since: days[0]!, until: days.at(-1)! }
    const [all, keyCounts, keyNames] = await Promise.all([
      readStats(context.em, span),
      readKeyStats(context.em, span, filter.category),
      nameKeys(context)
    ])
    const stats = all.filter(({ category }) => !filter.category || category === filter.category)

    return projectPage(
      reply,
      context,
      { title: 'Statistics', tab: 'statistics' },
      html`
      <h1>Statistics</h1>
      <p class="lead">Events, sessions, feedback and attachments that SDKs sent to this project, by day in UTC.</p>
      ${filterForm(context, filter, { categories: [...new Set(all.map(({ category }) => category))].sort(), keyNames })}
      ${outcomeCharts({ days, stats, keyCounts: keyCounts.map(({ keyId, ...count }) => ({ ...count, name: keyNames.get(keyId) ?? deletedKey(keyId) })) })}`
    )
  })
}

function daysUntil(now: Date, count: number) {
  return Array.from({ length: count }, (_, n) => new Date(now.getTime() - (count - 1 - n) * dayMs).toISOString().slice(0, 10))
}

/** Names of the client keys by id. */
async function nameKeys({ em, project }: PageContext) {
  const keys = await em.find(ClientKey, { projectId: project.id }, { orderBy: { id: 'asc' }, limit: maxKeys })

  return new Map(keys.map(({ id, name }) => [id, name || `Unnamed key (ID ${id})`]))
}

function deletedKey(id: number) {
  return id === 0 ? 'before keys were counted' : `Deleted key (ID ${id})`
}
