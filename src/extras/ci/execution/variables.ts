import type { Config } from '#config.ts'
import type { User } from '#identity/users/user.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Project } from '#projects/project.ts'
import type { Dependency } from '../artifacts/dependencies.ts'
import type { Job } from '../jobs/job.ts'
import type { Pipeline } from '../pipelines/pipeline.ts'
import { decryptVariables, type GivenVariable } from '../pipelines/pipeline-variables.ts'
import { pipelineUrl } from '../pipelines/present-pipeline.ts'
import { predefinedVariables } from '../plan/predefined-variables.ts'
import { isProtected } from '../plan/target.ts'
import type { Runner } from '../runners/runner.ts'
import { variablesFor } from '../variables/variables-for.ts'
import { environmentOf, slugOfEnvironment } from './environment.ts'

export interface Work {
  job: Job
  pipeline: Pipeline
  project: Project
  runner: Runner
  /** The secret of the job's token. */
  token: string
  /** The jobs before it that leave it artifacts and variables. */
  before: Job[]
  dependencies: Dependency[]
}

interface Option {
  isSecret?: boolean
  isMasked?: boolean
  isFile?: boolean
  isRaw?: boolean
}

/**
 * All variables of a job. Later ones win: those of the configuration, of reports of earlier jobs, then those stored for the project
 * and the groups above it, then those of the pipeline's creator and of the user who started the job.
 */
export async function variablesOf(em: EntityManager, config: Config, work: Work) {
  const { job, pipeline, project } = work
  const { sha, ref, isTag, commit, source } = pipeline
  const predefined = [...predefinedVariables(config, project, { sha, ref, isTag }, commit, source), ...ofJob(config, work), ...ofUser(job)]
  const configured = Object.entries(job.variables)
  const given = [...(await decryptVariables(config, pipeline)), ...(await decryptGiven(config, job))]
  const environment = environmentOf(job, new Map([...predefined, ...configured, ...given.map(toPair)]))
  const stored = await variablesFor(em, config, { project, isProtected: isProtected(project, pipeline), environment })

  return [
    ...[...predefined, ...ofEnvironment(environment)].map(([key, value]) => present(key, value, { isRaw: true })),
    ...secretsOf(config, work).map(([key, value]) => present(key, value, { isSecret: true, isRaw: true })),
    ...configured.map(([key, value]) => present(key, value)),
    ...(await reportedTo(config, work)).map(({ key, value }) => ({ ...present(key, value), public: false })),
    ...stored.map(({ key, value, ...option }) => present(key, value, { isSecret: true, ...option })),
    ...given.map(({ key, value, variable_type: type }) => present(key, value, { isSecret: true, isMasked: false, isFile: type === 'file' }))
  ]
}

function decryptGiven(config: Config, { givenVariables: variables, projectId }: Job) {
  return decryptVariables(config, { variables, projectId })
}

function toPair({ key, value }: GivenVariable): [string, string] {
  return [key, value]
}

function ofEnvironment(environment: string | undefined): [string, string][] {
  if (environment === undefined) return []

  return [
    ['CI_ENVIRONMENT_NAME', environment],
    ['CI_ENVIRONMENT_SLUG', slugOfEnvironment(environment)]
  ]
}

async function reportedTo(config: Config, { before }: Work) {
  const reported = before.map(({ reportedVariables, projectId }) =>
    decryptVariables(config, { variables: reportedVariables as Buffer | null | undefined, projectId })
  )

  return (await Promise.all(reported)).flat()
}

/** The address from which a runner clones, with the job's token. */
export function repositoryUrl({ baseUrl }: Pick<Config, 'baseUrl'>, { project, token }: Pick<Work, 'project' | 'token'>) {
  const url = new URL(`${baseUrl}/${project.fullPath}.git`)

  return Object.assign(url, { username: 'gitlab-ci-token', password: token }).href
}

function ofJob({ baseUrl }: Config, { job, pipeline, project, runner }: Work): [string, string][] {
  return [
    ['CI_PIPELINE_ID', String(pipeline.id)],
    ['CI_PIPELINE_IID', String(pipeline.iid)],
    ...(pipeline.name ? ([['CI_PIPELINE_NAME', pipeline.name]] as [string, string][]) : []),
    ['CI_PIPELINE_URL', pipelineUrl(pipeline, { baseUrl, project })],
    ['CI_PIPELINE_CREATED_AT', pipeline.createdAt.toISOString()],
    ['CI_JOB_ID', String(job.id)],
    ['CI_JOB_NAME', job.name],
    ['CI_JOB_STAGE', job.stage],
    ['CI_JOB_TIMEOUT', String(job.timeoutSeconds)],
    ['CI_JOB_STARTED_AT', job.startedAt!.toISOString()],
    ['CI_JOB_URL', `${baseUrl}/${project.fullPath}/-/jobs/${job.id}`],
    ...(job.startWhen === 'manual' ? ([['CI_JOB_MANUAL', 'true']] as [string, string][]) : []),
    ['CI_RUNNER_ID', String(runner.id)],
    ['CI_RUNNER_DESCRIPTION', runner.description ?? ''],
    ['CI_RUNNER_TAGS', JSON.stringify(runner.tags)]
  ]
}

/** Who started the job. */
function ofUser({ user }: Job): [string, string][] {
  if (!user) return []
  const { id, name, username, email } = user as User

  return [
    ['GITLAB_USER_ID', String(id)],
    ['GITLAB_USER_NAME', name],
    ['GITLAB_USER_LOGIN', username],
    ['GITLAB_USER_EMAIL', email]
  ]
}

function secretsOf(config: Config, work: Work): [string, string][] {
  return [['CI_JOB_TOKEN', work.token], ['CI_REPOSITORY_URL', repositoryUrl(config, work)], ...ofRegistry(config, work)]
}

/** With them, a job signs in to the registry and pushes the images of its project. */
function ofRegistry({ registry }: Config, { project, token }: Work): [string, string][] {
  if (!registry) return []
  const { host } = new URL(registry.url)

  return [
    ['CI_REGISTRY', host],
    ['CI_REGISTRY_IMAGE', `${host}/${project.fullPath.toLowerCase()}`],
    ['CI_REGISTRY_USER', 'gitlab-ci-token'],
    ['CI_REGISTRY_PASSWORD', token]
  ]
}

/** A runner hides masked values in its log, and expands `$NAME` in those that are not raw. */
function present(key: string, value: string, { isSecret = false, isMasked = isSecret, isFile = false, isRaw = false }: Option = {}) {
  return { key, value, public: !isSecret, masked: isMasked && value.length >= 8, file: isFile, raw: isRaw }
}
