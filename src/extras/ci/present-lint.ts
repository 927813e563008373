import Type from 'typebox'
import type { Config } from '#config.ts'
import { encodePath } from '#lib/encode-path.ts'
import type { Project } from '#projects/project.ts'
import type { JobConfig } from './config/job.ts'
import { linesOf } from './config/lines-of.ts'
import { isMapping, valueAt } from './config/mapping.ts'
import type { LintResult } from './lint.ts'

const Lines = Type.Array(Type.String())
const Include = Type.Object({
  type: Type.String(),
  location: Type.String(),
  blob: Type.String(),
  raw: Type.String(),
  extra: Type.Object({}),
  context_project: Type.String(),
  context_sha: Type.Union([Type.String(), Type.Null()])
})
const LintJob = Type.Object({
  name: Type.String(),
  stage: Type.String(),
  before_script: Lines,
  script: Lines,
  after_script: Lines,
  tag_list: Lines,
  only: Type.Unknown(),
  except: Type.Unknown(),
  environment: Type.Unsafe<string | null>({ anyOf: [{ type: 'string' }, { type: 'null' }] }),
  when: Type.String(),
  allow_failure: Type.Boolean(),
  needs: Type.Unknown()
})

export const LintShape = Type.Object({
  valid: Type.Boolean(),
  errors: Lines,
  warnings: Lines,
  merged_yaml: Type.Optional(Type.String({ description: 'The whole configuration; includes, `extends` and references are resolved.' })),
  includes: Type.Array(Include),
  jobs: Type.Optional(Type.Array(LintJob, { description: 'With `include_jobs`.' }))
})

export function presentLint({ baseUrl }: Config, project: Project, result: LintResult, sha: string | undefined, hasJobs: boolean) {
  const { errors, warnings, mergedYaml, included, jobs } = result
  const projectUrl = `${baseUrl}/${project.fullPath}`

  return {
    valid: errors.length === 0,
    errors,
    warnings,
    ...(mergedYaml === undefined ? {} : { merged_yaml: `---\n${mergedYaml}` }),
    includes: included.map(path => ({
      type: 'local',
      location: path,
      blob: `${projectUrl}/-/blob/${sha}/${encodePath(path)}`,
      raw: `${projectUrl}/-/raw/${sha}/${encodePath(path)}`,
      extra: {},
      context_project: project.fullPath,
      context_sha: sha ?? null
    })),
    ...(hasJobs ? { jobs: errors.length === 0 ? jobs.map(presentJob) : [] } : {})
  }
}

function presentJob({ name, stage, when, allowFailure, keywords }: JobConfig) {
  const value = (key: string) => valueAt(keywords, key)
  const environment = value('environment')

  return {
    name,
    stage,
    before_script: linesOf(value('before_script')),
    script: linesOf(value('script')),
    after_script: linesOf(value('after_script')),
    tag_list: linesOf(value('tags')),
    only: value('only') ?? (value('rules') === undefined ? { refs: ['branches', 'tags'] } : null),
    except: value('except') ?? null,
    environment:
      (isMapping(environment) ? (valueAt(environment, 'name') as string | undefined) : (environment as string | undefined)) ?? null,
    when,
    allow_failure: allowFailure,
    needs: value('needs') ?? null
  }
}
