import { Pipeline } from '#extras/ci/pipelines/pipeline.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Package } from './package.ts'
import { countPipelines, latestPipelineIds, listPipelineIds } from './package-store.ts'

/** The pipelines that published files of a package, newest first. */
export function listPipelines(em: EntityManager, { id }: Package) {
  return {
    list: async (limit: number, offset: number) => findPipelines(em, await listPipelineIds(em, id, { limit, offset })),
    listBefore: async (before: number | undefined, limit: number) => findPipelines(em, await listPipelineIds(em, id, { before, limit })),
    count: () => countPipelines(em.fork(), id)
  }
}

/** The latest of each package, by the id of the package. */
export async function latestPipelines(em: EntityManager, packageIds: number[]) {
  const ids = await latestPipelineIds(em, packageIds)
  const pipelines = await findPipelines(em, [...ids.values()])

  return new Map([...ids].map(([packageId, id]) => [packageId, pipelines.find(pipeline => pipeline.id === id)]))
}

function findPipelines(em: EntityManager, ids: number[]) {
  return em.find(Pipeline, { id: { $in: ids } }, { orderBy: { id: 'desc' }, populate: ['user'] })
}
