import { instancesOf } from '../config/instances.ts'
import { valueAt } from '../config/mapping.ts'
import type { PlannedJob } from './planned-job.ts'

/** A job that runs several times becomes as many jobs. */
export function expandParallel(job: PlannedJob): PlannedJob[] {
  const instances = instancesOf(job.name, valueAt(job.keywords, 'parallel'))

  return instances?.map(({ name, variables }) => ({ ...job, name, variables: { ...job.variables, ...variables } })) ?? [job]
}
