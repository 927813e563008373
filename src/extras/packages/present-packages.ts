import type { EntityManager } from '#platform/database/database.ts'
import { Project } from '#projects/project.ts'
import { latestPipelines } from './list-pipelines.ts'
import type { Package } from './package.ts'
import { presentPackage } from './present-package.ts'

interface View {
  baseUrl: string
  canDelete?: boolean
  /** For lists of several projects. */
  withProject?: boolean
}

/** Each with its project and its latest pipeline. */
export async function presentPackages(em: EntityManager, packages: Package[], { baseUrl, canDelete = false, withProject = false }: View) {
  const projects = await em.find(Project, { id: { $in: packages.map(({ projectId }) => projectId) } })
  const pipelines = await latestPipelines(
    em,
    packages.map(({ id }) => id)
  )

  return packages.map(found => {
    const project = projects.find(({ id }) => id === found.projectId)!

    return {
      ...presentPackage(found, { baseUrl, project, pipeline: pipelines.get(found.id), canDelete }),
      ...(withProject && { project_id: project.id, project_path: project.fullPath })
    }
  })
}
