import Type from 'typebox'
import { AvatarParameter } from '#api/avatars.ts'
import { keysetParameters } from '#api/pagination/keyset.ts'
import { paging } from '#api/pagination/offset.ts'
import { Time } from '#api/parameters/time.ts'
import { Nullable } from '#lib/nullable.ts'
import { deletionFilters } from '#projects/deletion/deletion-schemas.ts'
import { Role } from './members/member.ts'
import { missingFeatures } from './present-project.ts'
import { orders } from './visibility/visible-projects.ts'

export const Visibility = Type.Enum(['private', 'internal', 'public'])
const FeatureAccess = Type.Enum(['disabled', 'private', 'enabled'])
const Topics = Type.Union([Type.Array(Type.String({ maxLength: 255 }), { maxItems: 100 }), Type.String({ maxLength: 2000 })])

export const ById = Type.Object({ id: Type.String({ description: 'ID or URL-encoded path.' }) })

export const AccessLevel = Type.Enum(Object.values(Role), { type: 'integer' })

const settings = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  path: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  description: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
  visibility: Type.Optional(Visibility),
  default_branch: Type.Optional(Type.String({ maxLength: 255, description: 'An empty value is ignored.' })),
  topics: Type.Optional(Topics),
  tag_list: Type.Optional(Topics),
  avatar: AvatarParameter,
  monitoring_access_level: Type.Optional(FeatureAccess),
  monitor_access_level: Type.Optional(FeatureAccess),
  issues_access_level: Type.Optional(FeatureAccess),
  issues_enabled: Type.Optional(Type.Boolean({ description: 'Use `issues_access_level`.' })),
  ci_job_token_scope_enabled: Type.Optional(
    Type.Boolean({ description: 'Until 18.0: its job tokens cannot access other projects unless those are public.' })
  )
}

export const ProjectBody = Type.Object(settings)
export const NewProjectBody = Type.Object({
  ...settings,
  namespace_id: Type.Optional(Type.Integer()),
  initialize_with_readme: Type.Optional(Type.Boolean())
})
export const TransferBody = Type.Object({ namespace: Type.Union([Type.Integer(), Type.String({ maxLength: 1000 })]) })

export const Accepted = Type.Object({ message: Type.String() })

const filters = {
  search: Type.Optional(Type.String({ maxLength: 255 })),
  visibility: Type.Optional(Visibility),
  archived: Type.Optional(Type.Boolean()),
  ...deletionFilters,
  owned: Type.Optional(Type.Boolean()),
  membership: Type.Optional(Type.Boolean()),
  starred: Type.Optional(Type.Boolean({ description: 'By the caller.' })),
  min_access_level: Type.Optional(AccessLevel),
  topic: Type.Optional(Type.String({ maxLength: 1000, description: 'Comma-separated.' })),
  simple: Type.Optional(Type.Boolean()),
  repository_storage: Type.Optional(Type.String({ description: 'Admins only.' })),
  id_after: Type.Optional(Type.Integer()),
  id_before: Type.Optional(Type.Integer()),
  last_activity_after: Type.Optional(Time()),
  last_activity_before: Type.Optional(Time())
}

export const ProjectsQuery = Type.Object({
  ...paging,
  ...keysetParameters,
  ...filters,
  order_by: Type.Optional(Type.Enum(Object.keys(orders) as (keyof typeof orders)[]))
})

export const GroupProjectsQuery = Type.Object({
  ...ProjectsQuery.properties,
  include_subgroups: Type.Optional(Type.Boolean()),
  with_shared: Type.Optional(Type.Boolean({ description: 'Default true: includes projects that are shared with the group.' }))
})

export const Person = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  state: Type.String(),
  avatar_url: Nullable(Type.String()),
  web_url: Type.String()
})

const Access = Nullable(Type.Object({ access_level: Type.Integer(), notification_level: Type.Integer() }))

const features = {
  monitoring_access_level: FeatureAccess,
  monitor_access_level: FeatureAccess,
  issues_access_level: FeatureAccess,
  issues_enabled: Type.Boolean(),
  environments_access_level: FeatureAccess,
  feature_flags_access_level: FeatureAccess,
  repository_access_level: FeatureAccess,
  snippets_access_level: FeatureAccess,
  snippets_enabled: Type.Boolean(),
  builds_access_level: FeatureAccess,
  jobs_enabled: Type.Boolean(),
  package_registry_access_level: FeatureAccess,
  packages_enabled: Type.Boolean(),
  container_registry_access_level: FeatureAccess,
  container_registry_enabled: Type.Boolean(),
  ...Object.fromEntries(missingFeatures.map(name => [`${name}_access_level`, Type.Literal('disabled')])),
  merge_requests_enabled: Type.Literal(false),
  wiki_enabled: Type.Literal(false)
}

export const SharedGroup = Type.Object({
  group_id: Type.Integer(),
  group_name: Type.String(),
  group_full_path: Type.String(),
  group_access_level: Type.Integer(),
  expires_at: Nullable(Type.String())
})

export const ProjectShape = Type.Object({
  id: Type.Integer(),
  description: Nullable(Type.String()),
  name: Type.String(),
  name_with_namespace: Type.String(),
  path: Type.String(),
  path_with_namespace: Type.String(),
  created_at: Type.String(),
  default_branch: Type.String(),
  tag_list: Type.Array(Type.String()),
  topics: Type.Array(Type.String()),
  http_url_to_repo: Type.String(),
  web_url: Type.String(),
  readme_url: Nullable(Type.String()),
  forks_count: Type.Integer(),
  avatar_url: Nullable(Type.String()),
  star_count: Type.Integer(),
  last_activity_at: Type.String(),
  visibility: Visibility,
  namespace: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    path: Type.String(),
    kind: Type.String(),
    full_path: Type.String(),
    parent_id: Nullable(Type.Integer()),
    avatar_url: Nullable(Type.String()),
    web_url: Type.String()
  }),
  // Not in the simple form.
  archived: Type.Optional(Type.Boolean()),
  marked_for_deletion_at: Type.Optional(Nullable(Type.String())),
  marked_for_deletion_on: Type.Optional(Nullable(Type.String())),
  creator_id: Type.Optional(Nullable(Type.Integer())),
  updated_at: Type.Optional(Type.String()),
  ...Type.Partial(Type.Object(features)).properties,
  open_issues_count: Type.Optional(Type.Integer()),
  ci_job_token_scope_enabled: Type.Optional(Type.Boolean()),
  empty_repo: Type.Optional(Type.Boolean()),
  import_status: Type.Optional(Type.String()),
  shared_with_groups: Type.Optional(Type.Array(SharedGroup)),
  owner: Type.Optional(Person),
  _links: Type.Optional(Type.Record(Type.String(), Type.String())),
  repository_storage: Type.Optional(Type.String()),
  permissions: Type.Optional(Type.Object({ project_access: Access, group_access: Access }))
})
