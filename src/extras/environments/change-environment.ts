import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { Forbidden, NotFound, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { lockRow } from '#platform/database/locks.ts'
import type { Project } from '#projects/project.ts'
import { describeEnvironment, Environment } from './environment.ts'
import type { Tier } from './tier.ts'

/** Who changes the environments of a project. */
interface Editor {
  project: Project
  actor: Actor
}

type Change = (em: EntityManager, environment: Environment) => void

/** Undefined values stay unchanged. */
interface EnvironmentChanges {
  externalUrl?: string | null
  description?: string | null
  tier?: Tier
}

const validName = /^[\w${}. -]([\w/${}. -]*[\w${}. -])?$/
const nameRule = "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'"

/** A deleted environment of the same name is replaced. */
export async function createEnvironment(em: EntityManager, { project, actor }: Editor, name: string, changes: EnvironmentChanges) {
  if (!validName.test(name)) throw new ValidationFailed({ name: [nameRule] })
  checkUrl(changes.externalUrl)

  return em.transactional(async em => {
    await lockRow(em, 'projects', project.id)
    const former = await em.findOne(Environment, { projectId: project.id, name })

    if (former && !former.deletedAt) throw new ValidationFailed({ name: ['has already been taken'] })
    if (former) await em.remove(former).flush()
    const environment = em.create(Environment, { projectId: project.id, ...describeEnvironment(name), ...given(changes) })

    await em.flush()
    recordChange(em, { project, actor }, environment, 'environment_created')

    return environment
  })
}

export function updateEnvironment(em: EntityManager, editor: Editor, id: number, changes: EnvironmentChanges) {
  checkUrl(changes.externalUrl)

  return changeEnvironment(em, editor, id, (em, environment) => {
    const values = given(changes)
    const changed = Object.keys(values).filter(name => (environment[name as keyof Environment] ?? null) !== values[name])

    Object.assign(environment, values)
    if (changed.length > 0) recordChange(em, editor, environment, 'environment_updated', { changed })
  })
}

/** Idempotent. */
export function stopEnvironment(em: EntityManager, editor: Editor, id: number) {
  return changeEnvironment(em, editor, id, (em, environment) => {
    if (environment.state === 'stopped') return
    environment.state = 'stopped'
    recordChange(em, editor, environment, 'environment_stopped')
  })
}

/** Only a stopped environment can be deleted. */
export function deleteEnvironment(em: EntityManager, editor: Editor, id: number, at: Date) {
  return changeEnvironment(em, editor, id, (em, environment) => {
    if (environment.state !== 'stopped') throw new Forbidden('the environment must be stopped before it is deleted')
    environment.deletedAt = at
    recordChange(em, editor, environment, 'environment_deleted')
  })
}

export async function findEnvironment(em: EntityManager, projectId: number, id: number) {
  const environment = await em.findOne(Environment, { id, projectId, deletedAt: null })

  if (!environment) throw new NotFound('Environment')

  return environment
}

async function changeEnvironment(em: EntityManager, { project }: Editor, id: number, change: Change) {
  return em.transactional(async em => {
    const environment = await findEnvironment(em, project.id, id)

    await lockForChange(em, environment)
    if (environment.deletedAt) throw new NotFound('Environment')
    change(em, environment)

    return environment
  })
}

function recordChange(
  em: EntityManager,
  { project, actor }: Editor,
  { id, name: details }: Environment,
  name: string,
  more?: Record<string, unknown>
) {
  recordAuditEvent(em, actor, { name, entity: project.audited(), target: { type: 'Environment', id, details }, details: more })
}

/** Clients show it as a link: no `javascript:`. */
function checkUrl(url: string | null | undefined) {
  if (url && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new ValidationFailed({ external_url: ['must be a valid http or https URL'] })
}

function given(changes: EnvironmentChanges) {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Record<string, unknown>
}
