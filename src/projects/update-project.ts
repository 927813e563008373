import { LockMode } from '@mikro-orm/core'
import { type Actor, publishAuditEvent, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { Config } from '#config.ts'
import { definedIn } from '#lib/json.ts'
import { Forbidden } from '#lib/refusals.ts'
import type { Namespace, Visibility } from '#namespaces/namespace.ts'
import { lockPaths } from '#namespaces/paths.ts'
import { invalidateCache } from '#platform/cache/invalidate-cache.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import type { SpamCheck } from '#spam/spam-check.ts'
import { invalidateKeys } from './deletion/purge-project.ts'
import { Role } from './members/member.ts'
import { moveProject } from './move-project.ts'
import type { Project, ProjectChanges } from './project.ts'

interface Editor {
  /** The editor's role in the project. */
  role: number
  actor: Actor
  spam?: SpamCheck
}

/** Only owners may change the path and the visibility. */
export async function updateProject(
  em: EntityManager,
  config: Config,
  project: Project,
  { path, ...changes }: ProjectChanges & { path?: string },
  { role, actor, spam }: Editor
) {
  await checkPublished(project, changes, spam)
  await em.transactional(async em => {
    if (path !== undefined) await lockPaths(em)
    await lockForChange(em, project)
    await em.populate(project, ['namespace'])
    const { fullPath, monitoringAccessLevel, visibility } = project
    const isRenamed = path !== undefined && path !== project.path
    const isVisibilityChanged = changes.visibility !== undefined && changes.visibility !== visibility

    if ((isRenamed || isVisibilityChanged) && role < Role.owner) throw new Forbidden()
    if (isRenamed) {
      await moveProject(em, project, project.namespace as Namespace, path)
      await publishAuditEvent(em, actor, {
        name: 'project_renamed',
        entity: project.audited(),
        details: change('path', fullPath, project.fullPath)
      })
    }
    if (isVisibilityChanged) {
      const details = change('visibility', visibility as Visibility, changes.visibility!)

      project.namespace.checkVisibility(changes.visibility)
      await publishAuditEvent(em, actor, { name: 'project_visibility_changed', entity: project.audited(), details })
    }
    project.change(changes)
    await em.flush()
    // Intake refuses the keys of a project whose monitoring is disabled.
    if (project.monitoringAccessLevel !== monitoringAccessLevel) await invalidateCache(em, config, 'client-key')
  })
}

/** A public project is checked when it becomes public, or its texts change. */
async function checkPublished(project: Project, changes: ProjectChanges, spam: SpamCheck | undefined) {
  const { visibility, name, description } = { ...project, ...definedIn(changes) }
  const isSame = visibility === project.visibility && name === project.name && description === project.description

  if (visibility === 'public' && !isSame) await spam?.check({ kind: 'project', title: name, text: description ?? '', isChange: true })
}

/** Idempotent. */
export async function archiveProject(em: EntityManager, config: Config, project: Project, isArchived: boolean, by: Actor) {
  await em.transactional(async em => {
    await em.refresh(project, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (project.isArchived === isArchived) return
    project.isArchived = isArchived
    await invalidateKeys(em, config, [project.id])
    recordAuditEvent(em, by, { name: isArchived ? 'project_archived' : 'project_unarchived', entity: project.audited() })
  })
}

export function change(what: string, from: string, to: string) {
  return { change: what, from, to }
}
