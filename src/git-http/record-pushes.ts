import { sql } from 'kysely'
import { recordActivity } from '#activity/activity-store.ts'
import { addWebhookEvent } from '#outbox/outbox-store.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import type { Git } from '#platform/git/git.ts'
import type { ItemOf } from '#platform/queue/job.ts'
import { Project } from '#projects/project.ts'
import { findRepository } from '#repositories/find-repository.ts'
import { openRepository } from '#repositories/open-repository.ts'
import { describeChange, describeMany, kindOf } from './describe-changes.ts'
import type { RefChange, recordPush } from './jobs.ts'

type Push = ItemOf<typeof recordPush>

/** More changes of one kind are one event, which only counts them. */
const maxEvents = 3

/** Stores the activity of pushes. Idempotent: the same push again adds nothing. */
export async function recordPushes(em: EntityManager, git: Git, pushes: Push[]) {
  for (const push of pushes) await recordOne(em, git, push)
}

async function recordOne(em: EntityManager, git: Git, push: Push) {
  const { projectId, userId, id, pushedAt, changes } = push
  const project = await em.findOne(Project, { id: projectId })

  if (!project) return
  const directory = await openRepository(git, await findRepository(em, { projectId }))
  const describe = (change: RefChange) => describeChange({ git, directory, defaultBranch: project.defaultBranch }, change)
  const at = new Date(pushedAt)

  for (const { key, pushData } of await eventsOf(changes, describe)) {
    await recordActivity(em, { projectId, authorId: userId, action: 'pushed', pushData, key: `push-${id}-${key}`, at })
  }
  await notifyWebhooks(em, push)
  await touchProject(em, projectId, at)
}

/** As in GitLab: webhooks are not sent requests for many branches or tags at once. */
async function notifyWebhooks(em: EntityManager, { projectId, userId, id, changes, chain }: Push) {
  const kinds = Map.groupBy(
    changes.filter(({ ref }) => /^refs\/(heads|tags)\//.test(ref)),
    ({ ref }) => ref.split('/')[1]
  )
  const shown = [...kinds.values()].filter(({ length }) => length <= maxEvents).flat()
  const data = { changes: changes.slice(0, 100), shown }

  await addWebhookEvent(em, { kind: 'push', projectId, actorId: userId, data, key: `push-${id}`, chain })
}

async function eventsOf(changes: RefChange[], describe: (change: RefChange) => Promise<Record<string, unknown>>) {
  const kinds = Map.groupBy(
    changes.filter(({ ref }) => /^refs\/(heads|tags)\//.test(ref)),
    kindOf
  )
  const events: { key: string; pushData: Record<string, unknown> }[] = []

  for (const [kind, group] of kinds) {
    if (group.length > maxEvents) events.push({ key: kind, pushData: describeMany(group) })
    else for (const change of group) events.push({ key: change.ref, pushData: await describe(change) })
  }

  return events
}

async function touchProject(em: EntityManager, id: number, at: Date) {
  await em
    .getKysely<Tables>()
    .updateTable('projects')
    .set({ last_activity_at: sql<Date>`greatest(last_activity_at, ${at})` })
    .where('id', '=', id)
    .execute()
}
