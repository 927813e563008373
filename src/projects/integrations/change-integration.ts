import { isDeepStrictEqual } from 'node:util'
import { type Actor, record } from '../../audit/record-audit-event.ts'
import type { Config } from '../../config.ts'
import { lockForChange } from '../../http/conditional-requests.ts'
import { NotFound } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { lockRow } from '../../platform/database/locks.ts'
import type { Project } from '../project.ts'
import { integrationTypes } from './integration-types.ts'
import { openSecrets, ProjectIntegration, sealSecrets, type Values } from './project-integration.ts'
import { readFields } from './read-fields.ts'

interface Editor {
  config: Config
  project: Project
  actor: Actor
}

/** Creates or changes an integration and activates it. Properties that are not given stay. */
export async function putIntegration(em: EntityManager, editor: Editor, slug: string, given: Record<string, unknown>) {
  const { properties, secrets, events } = readFields(integrationTypes[slug]!, given)

  return em.transactional(async em => {
    const integration = await lockIntegration(em, editor, slug)
    const next = {
      active: true,
      properties: withoutEmpty({ ...integration.properties, ...properties }),
      events: { ...integration.events, ...events }
    }
    const hasNewSecrets = !isDeepStrictEqual(await openSecrets(editor.config, integration), secrets)
    const { active, properties: former, events: formerEvents } = integration

    if (!hasNewSecrets && isDeepStrictEqual({ active, properties: former, events: formerEvents }, next)) return integration
    Object.assign(integration, next)
    if (hasNewSecrets) integration.secrets = await sealSecrets(editor.config, secrets, integration)
    recordChange(em, editor, integration, 'project_integration_updated', { changed: namesOf(properties, events, hasNewSecrets && secrets) })

    return integration
  })
}

/** Deactivates an integration and deletes its settings. Idempotent. */
export async function disableIntegration(em: EntityManager, editor: Editor, slug: string) {
  await em.transactional(async em => {
    const integration = await findIntegration(em, editor.project.id, slug)

    await lockForChange(em, integration, editor.actor)
    if (integration.disable()) recordChange(em, editor, integration, 'project_integration_disabled')
  })
}

export async function findIntegration(em: EntityManager, projectId: number, slug: string) {
  const integration = await em.findOne(ProjectIntegration, { projectId, slug })

  if (!integration) throw new NotFound('Integration')

  return integration
}

async function lockIntegration(em: EntityManager, { project, actor }: Editor, slug: string) {
  await lockRow(em, 'projects', project.id)
  const key = { projectId: project.id, slug }
  // The date of a new row is earlier than any that a client can name.
  const integration = (await em.findOne(ProjectIntegration, key)) ?? em.create(ProjectIntegration, { ...key, updatedAt: new Date(0) })

  await em.flush()
  await lockForChange(em, integration, actor)

  return integration
}

function recordChange(
  em: EntityManager,
  { project, actor }: Editor,
  { id, slug }: ProjectIntegration,
  name: string,
  details?: Record<string, unknown>
) {
  record(em, actor, { name, entity: project.audited(), target: { type: 'ProjectIntegration', id, details: slug }, details })
}

function withoutEmpty(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}

/** The names of given values, for the audit event. */
function namesOf(...given: (object | false)[]) {
  return given.flatMap(values => Object.keys(values || {}))
}
