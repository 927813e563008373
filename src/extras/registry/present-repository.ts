import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import type { Project } from '#projects/project.ts'
import type { RegistrySettings } from '#settings/read-registry.ts'
import type { ImageRepository } from './image-repository.ts'
import type { Manifest } from './manifest.ts'

export const TagShape = Type.Object({ name: Type.String(), path: Type.String(), location: Type.String() })

export const TagDetails = Type.Object({
  ...TagShape.properties,
  revision: Nullable(Type.String()),
  short_revision: Nullable(Type.String()),
  digest: Type.String(),
  created_at: Nullable(Type.String()),
  total_size: Nullable(Type.Integer())
})

export const RepositoryShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  path: Type.String(),
  project_id: Type.Integer(),
  location: Type.String(),
  created_at: Type.String(),
  cleanup_policy_started_at: Type.Null(),
  status: Nullable(Type.String()),
  tags_count: Type.Optional(Type.Integer()),
  tags: Type.Optional(Type.Array(TagShape))
})

export interface ImageView {
  registry: RegistrySettings | undefined
  project: Project
  /** All of them, sorted. */
  tags?: string[] | undefined
  withCount?: boolean | undefined
  withTags?: boolean | undefined
}

export function presentRepository(repository: ImageRepository, { registry, project, tags = [], withCount, withTags }: ImageView) {
  const { id, path, isDeleting, createdAt } = repository
  const root = project.fullPath.toLowerCase()

  return {
    id,
    name: path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path === root ? '' : path,
    path,
    project_id: project.id,
    location: locationOf(registry, path),
    created_at: createdAt.toISOString(),
    cleanup_policy_started_at: null,
    status: isDeleting ? 'delete_scheduled' : null,
    ...(withCount && { tags_count: tags.length }),
    ...(withTags && { tags: tags.map(tag => presentTag(registry, repository, tag)) })
  }
}

export function presentTag(registry: RegistrySettings | undefined, { path }: ImageRepository, name: string) {
  return { name, path: `${path}:${name}`, location: `${locationOf(registry, path)}:${name}` }
}

export function presentManifest({ digest, config, size }: Manifest, createdAt: string | undefined) {
  const revision = config?.replace(/^sha256:/, '') ?? null

  return {
    revision,
    short_revision: revision?.slice(0, 9) ?? null,
    digest,
    created_at: createdAt ?? null,
    total_size: size ?? null
  }
}

/** As clients of the registry name it. */
export function locationOf(registry: RegistrySettings | undefined, path: string) {
  if (!registry) return path
  const { host, pathname } = new URL(registry.url)

  return `${host}${pathname.replace(/\/$/, '')}/${path}`
}
