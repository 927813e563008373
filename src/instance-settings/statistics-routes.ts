import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { EntityManager } from '../platform/database/database.ts'

const Count = Type.String({ description: 'Such as `1,234`.' })
const Statistics = Type.Object({
  forks: Count,
  issues: Count,
  merge_requests: Count,
  notes: Count,
  snippets: Count,
  ssh_keys: Count,
  milestones: Count,
  users: Count,
  groups: Count,
  projects: Count,
  active_users: Count
})

/** How much there is in the installation. */
export const statisticsRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform

  app.get(
    '/application/statistics',
    {
      onRequest: app.requireAdmin,
      config: { role: 'admin' },
      schema: {
        summary: 'Count the resources of the installation',
        description: 'Forks and merge requests do not exist. Active users are neither blocked nor deactivated, and people.',
        response: { 200: Statistics }
      }
    },
    async () => ({ ...(await countAll(fork())), forks: '0', merge_requests: '0' })
  )
}

/** Texts, as in GitLab. The notes are comments and system notes on issues and alerts. */
async function countAll(em: EntityManager) {
  const { rows } = await sql<Record<Counted, number>>`
    SELECT
      (SELECT count(*) FROM issues)::int AS issues,
      ((SELECT count(*) FROM issue_notes) + (SELECT count(*) FROM alert_notes))::int AS notes,
      (SELECT count(*) FROM snippets)::int AS snippets,
      (SELECT count(*) FROM ssh_keys)::int AS ssh_keys,
      (SELECT count(*) FROM milestones)::int AS milestones,
      (SELECT count(*) FROM users)::int AS users,
      (SELECT count(*) FROM namespaces WHERE kind = 'group')::int AS groups,
      (SELECT count(*) FROM projects)::int AS projects,
      (SELECT count(*) FROM users WHERE state = 'active' AND kind = 'human')::int AS active_users`.execute(em.getKysely())

  return Object.fromEntries(Object.entries(rows[0]!).map(([name, count]) => [name, count.toLocaleString('en-US')])) as Record<
    Counted,
    string
  >
}

type Counted = Exclude<keyof Static<typeof Statistics>, 'forks' | 'merge_requests'>
