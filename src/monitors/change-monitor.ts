import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { Conflict, NotFound, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import type { Project } from '#projects/project.ts'
import { reschedule } from './environment-store.ts'
import { type CheckConfig, type HttpCheck, type SentHeaders, sealHeaders, validateCheck } from './http-check.ts'
import { addFirstCheck } from './http-check-store.ts'
import { Monitor } from './monitor.ts'
import { recoverAll } from './monitor-alert-store.ts'
import { slugOf } from './slug.ts'
import { maxMonitors } from './upsert-store.ts'

export type MonitorValues = Pick<
  Monitor,
  'name' | 'schedule' | 'timezone' | 'marginMinutes' | 'maxRunMinutes' | 'failureThreshold' | 'recoveryThreshold'
>

export interface HttpMonitorValues extends Pick<Monitor, 'name' | 'schedule' | 'failureThreshold' | 'recoveryThreshold'> {
  http: HttpCheck
  headers: SentHeaders
}

type NewMonitor = MonitorValues | (Omit<HttpMonitorValues, 'headers'> & Pick<Monitor, 'kind' | 'httpHeaders'>)

interface HttpDeps {
  em: EntityManager
  config: CheckConfig
}

export async function findMonitor(em: EntityManager, projectId: number, slug: string) {
  const monitor = await em.findOne(Monitor, { projectId, slug })

  if (!monitor) throw new NotFound('Monitor')

  return monitor
}

/** Its address is made from its name, and stays: jobs send it. */
export function createMonitor(em: EntityManager, project: Project, values: NewMonitor, by: Actor) {
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

export async function createHttpMonitor(
  { em, config }: HttpDeps,
  project: Project,
  { headers, ...values }: HttpMonitorValues,
  by: Actor,
  at: Date
) {
  validateCheck(values.http, headers, config)
  const httpHeaders = await sealHeaders(config, headers, values.http.url, { projectId: project.id })

  return em.transactional(async em => {
    const monitor = await createMonitor(em, project, { kind: 'http', ...values, httpHeaders }, by)

    await em.flush()
    await addFirstCheck(em, monitor.id, at)

    return monitor
  })
}

/** It is checked within a minute. */
export function updateHttpMonitor({ em, config }: HttpDeps, project: Project, slug: string, sent: HttpMonitorValues, by: Actor, at: Date) {
  const { headers, ...values } = sent

  validateCheck(values.http, headers, config)

  return change(em, project, slug, async (em, monitor) => {
    const httpHeaders = await sealHeaders(config, headers, values.http.url, monitor)

    await update(em, project, monitor, { ...values, httpHeaders }, by, at)
  })
}

/** What the job itself sends with its next check-in has precedence over the schedule that is given here. */
export function updateMonitor(em: EntityManager, project: Project, slug: string, values: MonitorValues, by: Actor, at: Date) {
  return change(em, project, slug, (em, monitor) => update(em, project, monitor, values, by, at))
}

async function update(em: EntityManager, project: Project, monitor: Monitor, values: Partial<Monitor>, by: Actor, at: Date) {
  em.assign(monitor, values)
  record(em, project, by, 'monitor_updated', monitor.slug)
  await em.flush()
  await reschedule(em, monitor.id, at)
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
