import { Pipeline } from '#extras/ci/pipelines/pipeline.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { byId, selectList } from '#platform/database/list.ts'
import type { Package } from './package.ts'
import { latestPipelineIds } from './package-store.ts'

/** The pipelines that published files of a package, newest first. */
export function listPipelines(em: EntityManager, { id }: Package) {
  const files = em
    .getKysely<{ package_files: { package_id: number; pipeline_id: number | null } }>()
    .selectFrom('package_files')
    .where('package_id', '=', id)
    .where('pipeline_id', 'is not', null)
    .groupBy('pipeline_id')

  return selectList(em, {
    from: files,
    load: byId(ids => findPipelines(em, ids), 'pipeline_id'),
    keys: [{ sql: 'pipeline_id', type: 'bigint', of: (pipeline: Pipeline) => pipeline.id, sort: 'desc' }]
  })
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
