import { instancesOf } from './instances.ts'
import type { JobConfig } from './job.ts'
import { valueAt } from './mapping.ts'

/** The names under which other jobs can name a job: its own, and those of its instances. */
export class JobNames {
  #byName: Map<string, JobConfig>
  #byInstance: Map<string, JobConfig> | undefined
  #instances = new Map<string, string[]>()

  constructor(jobs: JobConfig[]) {
    this.#byName = new Map(jobs.map(job => [job.name, job]))
  }

  find(name: string) {
    return this.#byName.get(name) ?? this.#ofInstances().get(name)
  }

  /** The names of the jobs that run for it. */
  expand(name: string) {
    const job = this.#byName.get(name)

    return job ? this.#instancesOf(job) : [name]
  }

  /** There may be many instances, and few configurations name one. */
  #ofInstances() {
    this.#byInstance ??= new Map([...this.#byName.values()].flatMap(job => this.#instancesOf(job).map(name => [name, job] as const)))

    return this.#byInstance
  }

  #instancesOf(job: JobConfig) {
    const cached = this.#instances.get(job.name)

    if (cached) return cached
    const names = instancesOf(job.name, valueAt(job.keywords, 'parallel'))?.map(({ name }) => name) ?? [job.name]

    this.#instances.set(job.name, names)

    return names
  }
}
