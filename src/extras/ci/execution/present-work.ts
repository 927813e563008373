import type { Config } from '#config.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { linesOf } from '../config/lines-of.ts'
import { valueAt } from '../config/mapping.ts'
import type { Job } from '../jobs/job.ts'
import { isProtected } from '../plan/target.ts'
import { artifactsOf, cachesOf } from './files.ts'
import { imageOf, servicesOf } from './images.ts'
import { repositoryUrl, variablesOf, type Work } from './variables.ts'

const defaultDepth = 20
const failureReasons = ['unknown_failure', 'script_failure', 'runner_system_failure', 'job_execution_timeout', 'image_pull_failure']

/** What a runner is told of a job that it takes. */
export async function presentWork(em: EntityManager, config: Config, work: Work) {
  const { job, runner, token } = work
  const timeout = Math.min(job.timeoutSeconds, runner.maximumTimeout ?? Number.POSITIVE_INFINITY)
  const variables = await variablesOf(em, config, work)
  const depth = Number(variables.findLast(({ key }) => key === 'GIT_DEPTH')?.value ?? defaultDepth)

  return {
    id: job.id,
    token,
    allow_git_fetch: true,
    job_info: presentInfo(work),
    git_info: { ...presentSource(config, work), depth: Number.isInteger(depth) && depth >= 0 ? depth : defaultDepth },
    runner_info: { timeout, runner_session_url: null },
    variables,
    steps: stepsOf(job, timeout),
    hooks: hooksOf(job),
    image: imageOf(job),
    services: servicesOf(job),
    artifacts: artifactsOf(job),
    cache: cachesOf(job, isProtected(work.project, work.pipeline)),
    credentials: [],
    dependencies: work.dependencies.map(({ id, name, filename, size }) => ({ id, name, token, artifacts_file: { filename, size } })),
    features: {
      trace_sections: true,
      token_mask_prefixes: ['glpat-', 'gloas-', 'gldt-', 'glrt-', 'glrtr-', 'glcbt-'],
      failure_reasons: failureReasons
    }
  }
}

function presentInfo({ job, pipeline, project }: Work) {
  return {
    id: job.id,
    name: job.name,
    stage: job.stage,
    pipeline_id: pipeline.id,
    project_id: project.id,
    project_name: project.name,
    project_full_path: project.fullPath,
    namespace_id: project.namespace.id,
    user_id: job.user?.id ?? null,
    time_in_queue_seconds: (job.startedAt!.getTime() - job.queuedAt!.getTime()) / 1000
  }
}

/** The commit is fetched by its id, so that a branch that has moved since does not matter. */
function presentSource(config: Config, work: Work) {
  const { ref, sha, isTag, id } = work.pipeline

  return {
    repo_url: repositoryUrl(config, work),
    repo_object_format: 'sha1',
    ref,
    sha,
    before_sha: '0'.repeat(40),
    ref_type: isTag ? 'tag' : 'branch',
    refspecs: [
      `+${sha}:refs/pipelines/${id}`,
      isTag ? `+refs/tags/${ref}:refs/tags/${ref}` : `+refs/heads/${ref}:refs/remotes/origin/${ref}`
    ],
    protected: isProtected(work.project, work.pipeline)
  }
}

/** What a runner executes, one script after the other. */
function stepsOf({ keywords }: Pick<Job, 'keywords'>, timeout: number) {
  const lines = (key: string) => linesOf(valueAt(keywords, key)).map(String)
  const script = [...lines('before_script'), ...lines('script')]
  const after = lines('after_script')

  return [
    { name: 'script', script, timeout, when: 'on_success', allow_failure: false },
    ...(after.length > 0 ? [{ name: 'after_script', script: after, timeout, when: 'always', allow_failure: true }] : [])
  ]
}

/** Scripts that run before the repository is fetched. */
function hooksOf({ keywords }: Pick<Job, 'keywords'>) {
  const script = linesOf(valueAt(valueAt(keywords, 'hooks'), 'pre_get_sources_script')).map(String)

  return script.length > 0 ? [{ name: 'pre_get_sources_script', script }] : []
}
