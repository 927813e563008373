import { defineEntity, p } from '@mikro-orm/core'
import type { ArtifactFormat } from './artifact-types.ts'

export const ArtifactSchema = defineEntity({
  name: 'Artifact',
  tableName: 'ci_job_artifacts',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    jobId: p.bigint('number'),
    projectId: p.bigint('number'),
    /** `archive` for the files that the job names; otherwise the kind of a report. */
    type: p.text(),
    format: p.text().$type<ArtifactFormat>(),
    filename: p.text(),
    size: p.bigint('number'),
    sha256: p.blob(),
    storedAs: p.text(),
    minRole: p.integer(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    /** Null: they are kept. */
    expiresAt: p.datetime(3).nullable()
  }
})

/** Files that a job left. */
export class Artifact extends ArtifactSchema.class {}

ArtifactSchema.setClass(Artifact)
