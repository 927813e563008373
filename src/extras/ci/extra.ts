import type { Extra } from '#platform/extra.ts'
import { handle } from '#platform/queue/handler.ts'
import { Role } from '#projects/members/member.ts'
import { Artifact } from './artifacts/artifact.ts'
import { deleteExpiredArtifacts } from './artifacts/artifact-store.ts'
import { deleteOrphanArtifacts } from './artifacts/change-artifacts.ts'
import { jobNotices, pipelineNotices } from './ci-payload.ts'
import { endLostJobs } from './execution/end-lost-jobs.ts'
import { deleteEndedTokens } from './execution/job-store.ts'
import { Job } from './jobs/job.ts'
import { startDelayedJobs } from './jobs/start-delayed-jobs.ts'
import { ciPages } from './pages/routes.ts'
import { findLastPipeline } from './pipelines/find-last-pipeline.ts'
import { Pipeline } from './pipelines/pipeline.ts'
import { ci } from './routes.ts'
import { Runner } from './runners/runner.ts'
import { sweepJobs } from './sweep-jobs.ts'
import { CiVariable } from './variables/variable.ts'

export const extra: Extra = {
  name: 'ci',
  entities: [Pipeline, Runner, Artifact, Job, CiVariable],
  routes: ci,
  pages: ciPages,
  jobs: {
    maintenance: [
      handle(sweepJobs, async (_items, { em, signal }) => {
        await startDelayedJobs(() => em.fork(), new Date(), signal)
        await endLostJobs(() => em.fork(), new Date(), signal)
      })
    ]
  },
  schedule: [{ id: 'sweep-ci-jobs', contract: sweepJobs, item: {}, everySeconds: 30 }],
  cleanups: [(em, _config, at) => deleteEndedTokens(em, at), (em, _config, at) => deleteExpiredArtifacts(em, at), deleteOrphanArtifacts],
  links: {
    code: [{ path: 'pipelines', name: 'Pipelines', role: Role.reporter }],
    settings: [
      { path: 'variables', name: 'CI variables' },
      { path: 'runners', name: 'Runners' }
    ],
    admin: [
      { path: 'variables', name: 'CI variables' },
      { path: 'runners', name: 'Runners' }
    ]
  },
  findLastPipeline,
  webhookNotices: { pipeline: pipelineNotices, job: jobNotices }
}
