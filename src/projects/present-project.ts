import { writeTime } from '../http/parameters/time.ts'
import type { Viewer } from '../identity/viewer.ts'
import type { NamespaceTable } from '../namespaces/namespace.ts'
import type { JsonRow } from '../platform/database/json-row.ts'
import type { Roles } from './members/roles.ts'
import type { ProjectTable } from './project.ts'

export type ProjectRow = JsonRow<ProjectTable> & {
  namespace: NamespaceRow
  /** The owner of the personal namespace that the project is in. */
  owner: PersonLike | null
}

type NamespaceRow = Pick<JsonRow<NamespaceTable>, 'id' | 'kind' | 'name' | 'path' | 'full_path' | 'parent_id'> & {
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
    ssh_url_to_repo: `git@${URL.parse(baseUrl)?.hostname}:${project.full_path}.git`,
    http_url_to_repo: `${baseUrl}/${project.full_path}.git`,
    web_url: `${baseUrl}/${project.full_path}`,
    readme_url: null,
    forks_count: 0,
    avatar_url: null,
    star_count: 0,
    last_activity_at: writeTime(project.last_activity_at),
    visibility: project.visibility,
    namespace: presentNamespace(namespace, baseUrl)
  }
}

export function presentProject(project: ProjectRow, { baseUrl, viewer, roles }: View) {
  const self = `${baseUrl}/api/v4/projects/${project.id}`
  const { owner } = project

  return {
    ...presentSimpleProject(project, baseUrl),
    archived: project.is_archived,
    creator_id: project.creator_id,
    updated_at: writeTime(project.updated_at),
    monitoring_access_level: project.monitoring_access_level,
    monitor_access_level: project.monitoring_access_level,
    import_status: 'none',
    shared_with_groups: [],
    ...(owner && { owner: presentPerson(owner, baseUrl) }),
    _links: { self, members: `${self}/members`, events: `${self}/events` },
    ...(viewer?.isAdmin && { repository_storage: project.repository_storage }),
    ...(roles && { permissions: { project_access: presentAccess(roles.direct), group_access: presentAccess(roles.inherited) } })
  }
}

export function presentPerson({ id, username, name, state }: PersonLike, baseUrl: string) {
  return { id, username, name, state, avatar_url: null, web_url: `${baseUrl}/${username}` }
}

function presentNamespace({ full_name, ...namespace }: NamespaceRow, baseUrl: string) {
  const parent = namespace.kind === 'group' ? `${baseUrl}/groups` : baseUrl

  return { ...namespace, avatar_url: null, web_url: `${parent}/${namespace.full_path}` }
}

function presentAccess(role: number) {
  return role > 0 ? { access_level: role, notification_level: 3 } : null
}
