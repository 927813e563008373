import type { Config } from '#config.ts'
import type { Project } from '#projects/project.ts'
import type { Commit } from '#repositories/objects/read-commits.ts'
import type { Target } from './context.ts'

/** The variables that every job has, under GitLab's names. */
export function predefinedVariables(
  { baseUrl, serviceVersion }: Pick<Config, 'baseUrl' | 'serviceVersion'>,
  project: Project,
  { ref, isTag, sha }: Target,
  commit: Commit,
  source: string
): [string, string][] {
  const url = new URL(baseUrl)
  const [major = '', minor = ''] = serviceVersion.split('.')
  const [title = '', ...description] = commit.message.split('\n')
  const namespace = project.fullPath.slice(0, -project.path.length - 1)

  return [
    ['CI', 'true'],
    ['GITLAB_CI', 'true'],
    ['CI_API_V4_URL', `${baseUrl}/api/v4`],
    ['CI_SERVER', 'yes'],
    ['CI_SERVER_NAME', 'GitLab'],
    ['CI_SERVER_URL', baseUrl],
    ['CI_SERVER_HOST', url.hostname],
    ['CI_SERVER_PORT', url.port || (url.protocol === 'https:' ? '443' : '80')],
    ['CI_SERVER_PROTOCOL', url.protocol.slice(0, -1)],
    ['CI_SERVER_FQDN', url.host],
    ['CI_SERVER_VERSION', `${serviceVersion}.0`],
    ['CI_SERVER_VERSION_MAJOR', major],
    ['CI_SERVER_VERSION_MINOR', minor],
    ['CI_SERVER_VERSION_PATCH', '0'],
    ['CI_PROJECT_ID', String(project.id)],
    ['CI_PROJECT_NAME', project.path],
    ['CI_PROJECT_TITLE', project.name],
    ['CI_PROJECT_PATH', project.fullPath],
    ['CI_PROJECT_PATH_SLUG', slug(project.fullPath)],
    ['CI_PROJECT_NAMESPACE', namespace],
    ['CI_PROJECT_NAMESPACE_ID', String(project.namespace.id)],
    ['CI_PROJECT_ROOT_NAMESPACE', namespace.split('/')[0]!],
    ['CI_PROJECT_URL', `${baseUrl}/${project.fullPath}`],
    ['CI_PROJECT_VISIBILITY', project.visibility],
    ['CI_DEFAULT_BRANCH', project.defaultBranch],
    ['CI_CONFIG_PATH', '.gitlab-ci.yml'],
    ['CI_PIPELINE_SOURCE', source],
    ['CI_COMMIT_SHA', sha],
    ['CI_COMMIT_SHORT_SHA', sha.slice(0, 8)],
    ['CI_COMMIT_REF_NAME', ref],
    ['CI_COMMIT_REF_SLUG', slug(ref)],
    ['CI_COMMIT_REF_PROTECTED', String(!isTag && ref === project.defaultBranch)],
    [isTag ? 'CI_COMMIT_TAG' : 'CI_COMMIT_BRANCH', ref],
    ['CI_COMMIT_TITLE', title],
    ['CI_COMMIT_DESCRIPTION', description.join('\n').trim()],
    ['CI_COMMIT_MESSAGE', commit.message],
    ['CI_COMMIT_AUTHOR', `${commit.author.name} <${commit.author.email}>`],
    ['CI_COMMIT_TIMESTAMP', commit.committer.at]
  ]
}

/** As part of a host name: neither begins nor ends with a hyphen. */
function slug(text: string) {
  const parts = text
    .toLowerCase()
    .slice(0, 1000)
    .replaceAll(/[^a-z0-9]/g, '-')
    .slice(0, 63)
    .split('-')

  return parts.slice(parts.findIndex(Boolean), parts.findLastIndex(Boolean) + 1).join('-')
}
