import { type Actor, record } from '../../audit/record-audit-event.ts'
import { lockForChange } from '../../http/conditional-requests.ts'
import { BadRequest, ValidationFailed } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { lockRow } from '../../platform/database/locks.ts'
import type { Project } from '../project.ts'
import { PagesDomain } from './pages-domain.ts'
import { PagesSetting } from './pages-setting.ts'

export interface PagesEditor {
  project: Project
  actor: Actor
}

/** Undefined values stay unchanged. */
interface PagesChanges {
  isUniqueDomainEnabled?: boolean
  isHttpsOnly?: boolean
  primaryDomain?: string | null
}

/** The settings of a project, or the defaults. */
export async function findPagesSetting(em: EntityManager, projectId: number) {
  return (await em.findOne(PagesSetting, { projectId })) ?? em.create(PagesSetting, { projectId }, { persist: false })
}

export async function changePages(em: EntityManager, editor: PagesEditor, changes: PagesChanges) {
  return em.transactional(async em => {
    const setting = await lockPages(em, editor)
    const changed = Object.entries(changes).filter(
      ([name, value]) => value !== undefined && (setting[name as keyof PagesChanges] ?? null) !== value
    )

    await checkDomains(em, editor.project.id, changes)
    Object.assign(setting, Object.fromEntries(changed))
    if (changed.length > 0) recordPages(em, editor, 'pages_updated', { changed: changed.map(([name]) => name) })

    return setting
  })
}

/** Deletes the domains, as GitLab does with the site. Idempotent. */
export async function unpublishPages(em: EntityManager, editor: PagesEditor) {
  await em.transactional(async em => {
    const setting = await lockPages(em, editor)
    const deleted = await em.nativeDelete(PagesDomain, { projectId: editor.project.id })

    setting.primaryDomain = null
    if (deleted > 0) recordPages(em, editor, 'pages_unpublished')
  })
}

async function lockPages(em: EntityManager, { project, actor }: PagesEditor) {
  await lockRow(em, 'projects', project.id)
  const key = { projectId: project.id }
  // The date of a new row is earlier than any that a client can name.
  const setting = (await em.findOne(PagesSetting, key)) ?? em.create(PagesSetting, { ...key, updatedAt: new Date(0) })

  await em.flush()
  await lockForChange(em, setting, actor)

  return setting
}

async function checkDomains(em: EntityManager, projectId: number, { isHttpsOnly, primaryDomain }: PagesChanges) {
  const domains = await em.find(PagesDomain, { projectId })

  if (primaryDomain && !domains.some(({ domain }) => domain === primaryDomain)) {
    throw new BadRequest('The `pages_primary_domain` is not one of the domains of the project')
  }
  if (isHttpsOnly && !domains.every(({ certificate, isAutoSsl }) => certificate || isAutoSsl)) {
    throw new ValidationFailed({ pages_https_only: ['cannot be enabled unless all domains have TLS certificates'] })
  }
}

export function recordPages(em: EntityManager, { project, actor }: PagesEditor, name: string, details?: Record<string, unknown>) {
  record(em, actor, { name, entity: project.audited(), details })
}
