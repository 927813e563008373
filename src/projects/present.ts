import type { User } from '../identity/user.ts'
import type { Namespace } from './namespace.ts'
import type { Project } from './project.ts'
import type { Roles } from './roles.ts'

/** What the look of a project depends on besides itself. */
export interface View {
  baseUrl: string
  viewer?: User
  roles?: Roles
}

export interface PersonLike {
  id: number
  username: string
  name: string
  state: string
}

/** As clients like it for choosing from; the namespace has to be loaded with its full name. */
export function presentSimply(project: Project, baseUrl: string) {
  const namespace = project.namespace as Namespace

  return {
    id: project.id,
    description: project.description ?? null,
    name: project.name,
    name_with_namespace: `${namespace.fullName} / ${project.name}`,
    path: project.path,
    path_with_namespace: project.fullPath,
    created_at: project.createdAt.toISOString(),
    default_branch: project.defaultBranch,
    tag_list: project.topics,
    topics: project.topics,
    ssh_url_to_repo: `git@${new URL(baseUrl).hostname}:${project.fullPath}.git`,
    http_url_to_repo: `${baseUrl}/${project.fullPath}.git`,
    web_url: `${baseUrl}/${project.fullPath}`,
    readme_url: null,
    forks_count: 0,
    avatar_url: null,
    star_count: 0,
    last_activity_at: project.lastActivityAt.toISOString(),
    visibility: project.visibility,
    namespace: presentNamespace(namespace, baseUrl)
  }
}

export function presentProject(project: Project, { baseUrl, viewer, roles }: View) {
  const self = `${baseUrl}/api/v4/projects/${project.id}`
  const { owner } = project.namespace as Namespace

  return {
    ...presentSimply(project, baseUrl),
    archived: project.isArchived,
    creator_id: project.creator?.id ?? null,
    updated_at: project.updatedAt.toISOString(),
    monitoring_access_level: project.monitoringAccessLevel,
    monitor_access_level: project.monitoringAccessLevel,
    import_status: 'none',
    shared_with_groups: [],
    ...(owner && { owner: presentPerson(owner, baseUrl) }),
    _links: { self, members: `${self}/members`, events: `${self}/events` },
    ...(viewer?.isAdmin && { repository_storage: project.repositoryStorage }),
    ...(roles && { permissions: { project_access: presentAccess(roles.direct), group_access: presentAccess(roles.inherited) } })
  }
}

export function presentPerson({ id, username, name, state }: PersonLike, baseUrl: string) {
  return { id, username, name, state, avatar_url: null, web_url: `${baseUrl}/${username}` }
}

function presentNamespace(namespace: Namespace, baseUrl: string) {
  return {
    id: namespace.id,
    name: namespace.name,
    path: namespace.path,
    kind: namespace.kind,
    full_path: namespace.fullPath,
    parent_id: namespace.parent?.id ?? null,
    avatar_url: null,
    web_url: namespace.webUrl(baseUrl)
  }
}

function presentAccess(role: number) {
  return role > 0 ? { access_level: role, notification_level: 3 } : null
}
