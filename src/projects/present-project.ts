import type { Viewer } from '#identity/viewer.ts'
import { encodePath } from '#lib/encode-path.ts'
import { writeTime } from '#lib/time.ts'
import { avatarUrl } from '#platform/avatars.ts'
import type { Tables } from '#platform/database/database.ts'
import type { JsonRow } from '#platform/database/json-row.ts'
import { markDay } from './deletion/mark.ts'
import type { GroupShareRow } from './members/group-share.ts'
import { presentShares } from './members/present-shares.ts'
import { highestRole, type Roles } from './members/roles.ts'

export type ProjectRow = JsonRow<Tables['projects']> & {
  namespace: NamespaceRow
  /** The owner of the personal namespace that the project is in. */
  owner: PersonLike | null
  open_issues: number
  stars: number
  repository: { storage: string; is_initialized: boolean; readme: string | null } | null
  shares: GroupShareRow[]
}

type NamespaceRow = Pick<JsonRow<Tables['namespaces']>, 'id' | 'kind' | 'name' | 'path' | 'full_path' | 'parent_id' | 'avatar'> & {
  /** `Company / Team`. */
  full_name: string
}

export interface View {
  baseUrl: string
  viewer?: Viewer
  roles?: Roles
}

export interface PersonLike {
  id: number
  username: string
  name: string
  state: string
  /** The name of the file. */
  avatar?: string | null
}

/** URL of its git repository. */
export function cloneUrl(fullPath: string, baseUrl: string) {
  return `${baseUrl}/${fullPath}.git`
}

function readmeUrl({ full_path: path, default_branch: branch, repository }: ProjectRow, baseUrl: string) {
  if (!repository?.readme) return null

  return `${baseUrl}/${path}/-/blob/${encodePath(branch)}/${encodeURIComponent(repository.readme)}`
}

/** The `simple=true` form. */
export function presentSimpleProject(project: ProjectRow, baseUrl: string) {
  const { namespace } = project

  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: `${namespace.full_name} / ${project.name}`,
    path: project.path,
    path_with_namespace: project.full_path,
    created_at: writeTime(project.created_at),
    default_branch: project.default_branch,
    tag_list: project.topics,
    topics: project.topics,
    http_url_to_repo: cloneUrl(project.full_path, baseUrl),
    web_url: `${baseUrl}/${project.full_path}`,
    readme_url: readmeUrl(project, baseUrl),
    forks_count: 0,
    avatar_url: avatarUrl('project', project, baseUrl),
    star_count: project.stars,
    last_activity_at: writeTime(project.last_activity_at),
    visibility: project.visibility,
    namespace: presentNamespace(namespace, baseUrl)
  }
}

export function presentProject(project: ProjectRow, { baseUrl, viewer, roles }: View) {
  const self = `${baseUrl}/api/v4/projects/${project.id}`
  const { owner, issues_access_level: issuesAccess } = project
  const isMember = viewer?.isAdmin === true || (roles !== undefined && highestRole(roles) > 0)
  const isCounted = issuesAccess === 'enabled' || (issuesAccess === 'private' && isMember)

  return {
    ...presentSimpleProject(project, baseUrl),
    archived: project.is_archived,
    // Days, both of them: the first name is the older one.
    marked_for_deletion_at: markDay(project.marked_for_deletion_at),
    marked_for_deletion_on: markDay(project.marked_for_deletion_at),
    creator_id: project.creator_id,
    updated_at: writeTime(project.updated_at),
    ...presentFeatures(project),
    ...(isCounted && { open_issues_count: project.open_issues }),
    empty_repo: !project.repository?.is_initialized,
    import_status: 'none',
    shared_with_groups: presentShares(project.shares, viewer, isMember),
    ...(owner && { owner: presentPerson(owner, baseUrl) }),
    _links: { self, members: `${self}/members`, events: `${self}/events` },
    ...(viewer?.isAdmin && { repository_storage: project.repository?.storage ?? 'default' }),
    ...(roles && { permissions: { project_access: presentAccess(roles.direct), group_access: presentAccess(roles.inherited) } })
  }
}

/** Features of GitLab that do not exist here. */
export const missingFeatures = [
  'analytics',
  'environments',
  'forking',
  'infrastructure',
  'merge_requests',
  'model_experiments',
  'model_registry',
  'pages',
  'releases',
  'requirements',
  'security_and_compliance',
  'wiki'
]

const disabled = {
  ...Object.fromEntries(missingFeatures.map(name => [`${name}_access_level`, 'disabled' as const])),
  merge_requests_enabled: false,
  wiki_enabled: false
} as const

function presentFeatures({ monitoring_access_level: monitoring, issues_access_level: issues }: ProjectRow) {
  return {
    monitoring_access_level: monitoring,
    monitor_access_level: monitoring,
    issues_access_level: issues,
    issues_enabled: issues !== 'disabled',
    // For reporters and higher roles.
    environments_access_level: 'private' as const,
    // For developers and higher roles.
    feature_flags_access_level: 'private' as const,
    repository_access_level: 'enabled' as const,
    snippets_access_level: 'enabled' as const,
    snippets_enabled: true as const,
    builds_access_level: 'enabled' as const,
    jobs_enabled: true as const,
    package_registry_access_level: 'enabled' as const,
    packages_enabled: true as const,
    container_registry_access_level: 'enabled' as const,
    container_registry_enabled: true as const,
    ...disabled
  }
}

export function presentPerson({ id, username, name, state, avatar }: PersonLike, baseUrl: string) {
  return { id, username, name, state, avatar_url: avatarUrl('user', { id, avatar }, baseUrl), web_url: `${baseUrl}/${username}` }
}

function presentNamespace({ full_name, avatar, ...namespace }: NamespaceRow, baseUrl: string) {
  const parent = namespace.kind === 'group' ? `${baseUrl}/groups` : baseUrl

  return {
    ...namespace,
    avatar_url: avatarUrl('group', { id: namespace.id, avatar }, baseUrl),
    web_url: `${parent}/${namespace.full_path}`
  }
}

function presentAccess(role: number) {
  return role > 0 ? { access_level: role, notification_level: 3 } : null
}
