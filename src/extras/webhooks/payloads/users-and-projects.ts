import { User } from '#identity/users/user.ts'
import type { Namespace, Visibility } from '#namespaces/namespace.ts'
import { avatarUrl } from '#platform/avatars.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { cloneUrl } from '#projects/present-project.ts'
import { Project } from '#projects/project.ts'

export interface Context {
  em: EntityManager
  baseUrl: string
}

const visibilityLevels: Record<Visibility, number> = { private: 0, internal: 10, public: 20 }

export function findProjectOf({ em }: Context, id: number | null | undefined) {
  return id ? em.findOne(Project, { id }, { populate: ['namespace'] }) : null
}

export function presentHookProject(project: Project, baseUrl: string) {
  const webUrl = `${baseUrl}/${project.fullPath}`
  const httpUrl = cloneUrl(project.fullPath, baseUrl)

  return {
    id: project.id,
    name: project.name,
    description: project.description,
    web_url: webUrl,
    avatar_url: avatarUrl('project', project, baseUrl),
    git_http_url: httpUrl,
    namespace: (project.namespace as Namespace).name,
    visibility_level: visibilityLevels[project.visibility as Visibility],
    path_with_namespace: project.fullPath,
    default_branch: project.defaultBranch,
    homepage: webUrl,
    url: httpUrl,
    http_url: httpUrl
  }
}

export function presentRepository(project: Project, baseUrl: string) {
  const { name, description } = project

  return { name, url: cloneUrl(project.fullPath, baseUrl), description, homepage: `${baseUrl}/${project.fullPath}` }
}

export function presentPushedRepository(project: Project, baseUrl: string) {
  return {
    ...presentRepository(project, baseUrl),
    git_http_url: cloneUrl(project.fullPath, baseUrl),
    visibility_level: visibilityLevels[project.visibility as Visibility]
  }
}

/** Null for the system and for users who were deleted. */
export function findActor({ em }: Context, id: number | null | undefined) {
  return id ? em.findOne(User, { id }) : null
}

export function presentActor(user: User | null, baseUrl: string) {
  return {
    id: user?.id ?? 0,
    name: user?.name ?? 'Alert bot',
    username: user?.username ?? 'alert-bot',
    avatar_url: user ? avatarUrl('user', user, baseUrl) : null,
    email: '[REDACTED]'
  }
}

/** The times of webhooks, as GitLab writes them. */
export function writeHookTime(time: string | Date) {
  return new Date(time)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')
}
