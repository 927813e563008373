import type { JobConfig } from '../config/job.ts'

/** A job of a pipeline: its rules are evaluated. */
export interface PlannedJob extends JobConfig {
  /** The name in the configuration; jobs that run in parallel share it. */
  base: string
  startIn: string | undefined
}
