import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { Conflict, NotFound, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import type { Project } from '#projects/project.ts'
import { reschedule } from './environment-store.ts'
import { Monitor } from './monitor.ts'
import { recoverAll } from './monitor-alert-store.ts'
import { slugOf } from './slug.ts'
import { maxMonitors } from './upsert-store.ts'

export type MonitorValues = Pick<
  Monitor,
  'name' | 'schedule' | 'timezone' | 'marginMinutes' | 'maxRunMinutes' | 'failureThreshold' | 'recoveryThreshold'
>

export async function findMonitor(em: EntityManager, projectId: number, slug: string) {
  const monitor = await em.findOne(Monitor, { projectId, slug })

  if (!monitor) throw new NotFound('Monitor')

  return monitor
}

/** Its address is made from its name, and stays: jobs send it. */
export function createMonitor(em: EntityManager, project: Project, values: MonitorValues, by: Actor) {
  return em.transactional(async em => {
    await lockForChange(em, project)
    const slug = slugOf(values.name)

    if (!slug) throw new ValidationFailed({ name: ['needs a letter or a digit'] })
    if (await em.findOne(Monitor, { projectId: project.id, slug })) throw new ValidationFailed({ name: ['has already been taken'] })
    if ((await em.count(Monitor, { projectId: project.id })) >= maxMonitors)
      throw new Conflict(`a project has at most ${maxMonitors} monitors`)
    record(em, project, by, 'monitor_created', slug)

    return em.create(Monitor, { projectId: project.id, slug, ...values })
  })
}

/** What the job itself sends with its next check-in has precedence over the schedule that is given here. */
export function updateMonitor(em: EntityManager, project: Project, slug: string, values: MonitorValues, by: Actor, at: Date) {
  return change(em, project, slug, async (em, monitor) => {
    em.assign(monitor, values)
    record(em, project, by, 'monitor_updated', slug)
    await em.flush()
    await reschedule(em, monitor.id, at)
  })
}

export function muteMonitor(em: EntityManager, project: Project, slug: string, isMuted: boolean, by: Actor) {
  return change(em, project, slug, async (em, monitor) => {
    monitor.isMuted = isMuted
    record(em, project, by, isMuted ? 'monitor_muted' : 'monitor_unmuted', slug)
  })
}

/** Its open alerts are resolved. */
export function deleteMonitor(em: EntityManager, project: Project, slug: string, by: Actor, at: Date) {
  return change(em, project, slug, async (em, monitor) => {
    await recoverAll(em, monitor, at)
    record(em, project, by, 'monitor_deleted', slug)
    em.remove(monitor)
  })
}

function change(em: EntityManager, project: Project, slug: string, apply: (em: EntityManager, monitor: Monitor) => Promise<void>) {
  return em.transactional(async em => {
    const monitor = await findMonitor(em, project.id, slug)

    await lockForChange(em, monitor)
    await apply(em, monitor)

    return monitor
  })
}

function record(em: EntityManager, project: Project, by: Actor, name: string, slug: string) {
  recordAuditEvent(em, by, { name, entity: project.audited(), target: { type: 'Monitor', id: slug, details: slug } })
}
