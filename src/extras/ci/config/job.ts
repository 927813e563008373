import type { Mapping } from './mapping.ts'

export interface Need {
  job: string
  artifacts: boolean
  optional: boolean
}

export type When = 'on_success' | 'on_failure' | 'always' | 'manual' | 'delayed' | 'never'

/** A job as the configuration describes it, with everything that it inherits. */
export interface JobConfig {
  name: string
  stage: string
  when: When
  allowFailure: boolean
  /** Undefined: the job waits for the stages before its own. */
  needs: Need[] | undefined
  variables: Mapping
  /** All keywords. */
  keywords: Mapping
}

/** A configuration that was read. Without errors, pipelines can be made of it. */
export interface CiConfig {
  errors: string[]
  warnings: string[]
  /** The whole configuration in one: includes, extends and references are resolved. Undefined when it could not be read so far. */
  merged: Mapping | undefined
  included: string[]
  stages: string[]
  variables: Mapping
  workflow: Mapping
  jobs: JobConfig[]
}
