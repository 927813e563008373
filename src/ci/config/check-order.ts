import { valueAt } from '../yaml/mapping.ts'
import type { JobConfig } from './job.ts'

/** Checks the order of jobs: their stages, and what they need. */
export function checkOrder(jobs: JobConfig[], stages: string[]) {
  const byName = new Map(jobs.map(job => [job.name, job]))

  return [...jobs.flatMap(job => [...checkStage(job), ...checkNeeds(job), ...checkDependencies(job)]), ...checkCycles(jobs, byName)]

  function checkStage({ name, stage }: JobConfig) {
    return stages.includes(stage) ? [] : [`${name} job: chosen stage ${stage} does not exist; available stages are ${stages.join(', ')}`]
  }

  function checkNeeds(job: JobConfig) {
    return (job.needs ?? []).flatMap(({ job: needed, optional }) => {
      const other = byName.get(needed)

      if (!other) return optional ? [] : [`${job.name} job: undefined need: ${needed}`]

      return isLater(other, job) ? [`${job.name} job: need ${needed} is not defined in current or prior stages`] : []
    })
  }

  function checkDependencies(job: JobConfig) {
    return [valueAt(job.keywords, 'dependencies') ?? []].flat().flatMap(name => {
      const other = byName.get(String(name))

      if (!other) return [`${job.name} job: undefined dependency: ${name}`]
      if (isLater(other, job)) return [`${job.name} job: dependency ${name} is not defined in current or prior stages`]
      if (job.needs && !job.needs.some(need => need.job === name)) return [`${job.name} job: dependency ${name} should be part of needs`]

      return []
    })
  }

  function isLater(other: JobConfig, job: JobConfig) {
    return stages.indexOf(other.stage) > stages.indexOf(job.stage)
  }
}

/** Jobs that need each other would wait for ever. */
function checkCycles(jobs: JobConfig[], byName: Map<string, JobConfig>) {
  const done = new Set<string>()

  return jobs.some(job => isInCycle(job, new Set())) ? ['The pipeline has circular dependencies in needs'] : []

  function isInCycle({ name, needs }: JobConfig, path: Set<string>): boolean {
    if (path.has(name)) return true
    if (done.has(name)) return false
    path.add(name)
    const found = (needs ?? []).some(need => byName.has(need.job) && isInCycle(byName.get(need.job)!, path))

    path.delete(name)
    done.add(name)

    return found
  }
}
