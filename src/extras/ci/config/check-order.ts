import type { JobConfig } from './job.ts'
import { JobNames } from './job-names.ts'
import { valueAt } from './mapping.ts'

/** Checks the order of jobs: their stages, and what they need. */
export function checkOrder(jobs: JobConfig[], stages: string[]) {
  const names = new JobNames(jobs)

  return [...jobs.flatMap(job => [...checkStage(job), ...checkNeeds(job), ...checkDependencies(job)]), ...checkCycles(jobs, names)]

  function checkStage({ name, stage }: JobConfig) {
    return stages.includes(stage) ? [] : [`${name} job: chosen stage ${stage} does not exist; available stages are ${stages.join(', ')}`]
  }

  function checkNeeds(job: JobConfig) {
    return (job.needs ?? []).flatMap(({ job: needed, optional }) => {
      const other = names.find(needed)

      if (!other) return optional ? [] : [`${job.name} job: undefined need: ${needed}`]

      return isLater(other, job) ? [`${job.name} job: need ${needed} is not defined in current or prior stages`] : []
    })
  }

  function checkDependencies(job: JobConfig) {
    const needed = job.needs && new Set(job.needs.flatMap(need => names.expand(need.job)))

    return [valueAt(job.keywords, 'dependencies') ?? []].flat().flatMap(given => {
      const name = String(given)
      const other = names.find(name)

      if (!other) return [`${job.name} job: undefined dependency: ${name}`]
      if (isLater(other, job)) return [`${job.name} job: dependency ${name} is not defined in current or prior stages`]
      if (needed && !names.expand(name).every(name => needed.has(name)))
        return [`${job.name} job: dependency ${name} should be part of needs`]

      return []
    })
  }

  function isLater(other: JobConfig, job: JobConfig) {
    return stages.indexOf(other.stage) > stages.indexOf(job.stage)
  }
}

/** Jobs that need each other would wait for ever. */
function checkCycles(jobs: JobConfig[], names: JobNames) {
  const done = new Set<string>()

  return jobs.some(job => isInCycle(job, new Set())) ? ['The pipeline has circular dependencies in needs'] : []

  function isInCycle({ name, needs }: JobConfig, path: Set<string>): boolean {
    if (path.has(name)) return true
    if (done.has(name)) return false
    path.add(name)
    const found = (needs ?? []).some(need => {
      const other = names.find(need.job)

      return other !== undefined && isInCycle(other, path)
    })

    path.delete(name)
    done.add(name)

    return found
  }
}
