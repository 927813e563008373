import Type from 'typebox'
import { AvatarParameter } from '#api/avatars.ts'
import { keysetParameters } from '#api/pagination/keyset.ts'
import { paging } from '#api/pagination/offset.ts'
import { CommaSeparated } from '#api/parameters/coerce.ts'
import { Nullable } from '#lib/nullable.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import { avatarUrl } from '#platform/avatars.ts'
import { deletionFilters } from '#projects/deletion/deletion-schemas.ts'
import { markDay } from '../deletion/mark.ts'
import { AccessLevel, ProjectShape, SharedGroup, Visibility } from '../schemas.ts'

const description = Type.Optional(Type.Union([Type.String({ maxLength: 2000 }), Type.Null()]))
const name = Type.String({ minLength: 1, maxLength: 255 })
const defaultBranch = Type.Optional(
  Nullable(Type.String({ maxLength: 255, description: 'Default branch of new projects; empty for `main`.' }))
)

export const NewGroupBody = Type.Object({
  name,
  path: name,
  description,
  visibility: Type.Optional(Visibility),
  avatar: AvatarParameter,
  default_branch: defaultBranch,
  parent_id: Type.Optional(Type.Union([Type.Integer(), Type.Null()]))
})

export const GroupBody = Type.Object({
  name: Type.Optional(name),
  path: Type.Optional(name),
  description,
  visibility: Type.Optional(Visibility),
  avatar: AvatarParameter,
  default_branch: defaultBranch
})

export const GroupsQuery = Type.Object({
  ...paging,
  ...keysetParameters,
  order_by: Type.Optional(Type.Enum(['name', 'path', 'id'])),
  search: Type.Optional(Type.String({ maxLength: 255 })),
  visibility: Type.Optional(Visibility),
  owned: Type.Optional(Type.Boolean()),
  min_access_level: Type.Optional(AccessLevel),
  all_available: Type.Optional(Type.Boolean()),
  top_level_only: Type.Optional(Type.Boolean()),
  skip_groups: Type.Optional(Type.Array(Type.Integer(), { maxItems: 100 })),
  ...deletionFilters
})

export const ProjectGroupsQuery = Type.Object({
  ...paging,
  search: GroupsQuery.properties.search,
  skip_groups: GroupsQuery.properties.skip_groups,
  with_shared: Type.Optional(Type.Boolean({ description: 'Includes the groups that the project is shared with.' })),
  shared_min_access_level: Type.Optional(AccessLevel)
})

export const InvitedGroupsQuery = Type.Object({
  ...paging,
  search: GroupsQuery.properties.search,
  min_access_level: Type.Optional(AccessLevel),
  relation: Type.Optional(
    CommaSeparated(Type.Enum(['direct', 'inherited']), {
      description: 'Shared with the project, or with a group that it is in; both by default.'
    })
  )
})

export const GroupShape = Type.Object({
  id: Type.Integer(),
  web_url: Type.String(),
  name: Type.String(),
  path: Type.String(),
  description: Type.String(),
  visibility: Visibility,
  full_name: Type.String(),
  full_path: Type.String(),
  parent_id: Type.Union([Type.Integer(), Type.Null()]),
  created_at: Type.String(),
  marked_for_deletion_on: Nullable(Type.String()),
  default_branch: Nullable(Type.String()),
  avatar_url: Nullable(Type.String()),
  share_with_group_lock: Type.Boolean(),
  require_two_factor_authentication: Type.Boolean(),
  two_factor_grace_period: Type.Integer(),
  project_creation_level: Type.String(),
  subgroup_creation_level: Type.String(),
  emails_enabled: Type.Boolean(),
  lfs_enabled: Type.Boolean(),
  default_branch_protection: Type.Integer(),
  request_access_enabled: Type.Boolean()
})

/** With the groups it is shared with and, on request, at most 100 of its projects and of those that are shared with it. */
export const GroupDetails = Type.Object({
  ...GroupShape.properties,
  shared_with_groups: Type.Array(SharedGroup),
  projects: Type.Optional(Type.Array(ProjectShape)),
  shared_projects: Type.Optional(Type.Array(ProjectShape))
})

/** Settings of GitLab that do not exist here. */
const fixed = {
  share_with_group_lock: false,
  require_two_factor_authentication: false,
  two_factor_grace_period: 48,
  project_creation_level: 'developer',
  subgroup_creation_level: 'maintainer',
  emails_enabled: true,
  lfs_enabled: false,
  default_branch_protection: 2,
  request_access_enabled: true
}

export function presentGroup(group: Namespace, baseUrl: string) {
  return {
    id: group.id,
    web_url: `${baseUrl}/groups/${group.fullPath}`,
    name: group.name,
    path: group.path,
    description: group.description,
    visibility: group.visibility,
    full_name: group.fullName,
    full_path: group.fullPath,
    parent_id: group.parent?.id ?? null,
    created_at: group.createdAt.toISOString(),
    marked_for_deletion_on: markDay(group.markedForDeletionAt),
    default_branch: group.defaultBranch ?? null,
    avatar_url: avatarUrl('group', group, baseUrl),
    ...fixed
  }
}
