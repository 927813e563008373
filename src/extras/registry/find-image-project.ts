import { raw } from '@mikro-orm/core'
import type { EntityManager } from '#platform/database/database.ts'
import { Project } from '#projects/project.ts'
import { ImageRepository } from './image-repository.ts'

/**
 * The project that a path in the registry belongs to: that of the known repository, else the project whose path it begins with. Undefined
 * while images of a deleted project are there.
 */
export async function findImageProject(em: EntityManager, path: string) {
  const repository = await em.findOne(ImageRepository, { path })

  if (repository)
    return repository.projectId === null || repository.isDeleting ? undefined : em.findOne(Project, { id: repository.projectId! })
  const projects = await em.find(Project, { [raw('lower(full_path)')]: { $in: beginningsOf(path) } })

  // At most one: no project lies within another.
  return projects[0]
}

/** The paths of at least two segments that begin a path. */
function beginningsOf(path: string) {
  const segments = path.split('/')

  return segments.slice(1).map((_, n) => segments.slice(0, n + 2).join('/'))
}
