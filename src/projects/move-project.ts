import type { Namespace } from '#namespaces/namespace.ts'
import { deleteStaleRedirects, redirectProject } from '#namespaces/path-store.ts'
import { changePath, checkPath } from '#namespaces/paths.ts'
import { addToOutbox } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Project } from './project.ts'

/** Moves a project, and notifies its members. */
export async function moveProject(em: EntityManager, project: Project, namespace: Namespace, path: string = project.path) {
  const from = project.fullPath

  await replacePath(em, project, namespace, path)
  await addToOutbox(em, [{ kind: 'project.moved', projectId: project.id, subjectId: project.id, data: { from, to: project.fullPath } }])
}

/** Changes a project's path or namespace, and redirects the former path. The caller's transaction has locked the paths, then the project. */
export async function replacePath(em: EntityManager, project: Project, namespace: Namespace, path: string) {
  checkPath(path)
  const from = project.fullPath

  await changePath(em, from, `${namespace.fullPath}/${path}`)
  project.moveTo(namespace, path)
  await em.flush()
  await redirectProject(em, project.id, from)
  await deleteStaleRedirects(em, [project.fullPath])
}
