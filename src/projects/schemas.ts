import Type from 'typebox'
import { keysetParameters } from '../http/pagination/keyset.ts'
import { paging } from '../http/pagination/offset.ts'
import { Role } from './members/member.ts'
import { orders } from './visibility/project-filter.ts'

const nothing = Type.Null()
const Text = Type.Union([Type.String(), nothing])

export const Visibility = Type.Enum(['private', 'internal', 'public'])
const MonitoringAccess = Type.Enum(['disabled', 'private', 'enabled'])
const Topics = Type.Union([Type.Array(Type.String({ maxLength: 255 }), { maxItems: 100 }), Type.String({ maxLength: 2000 })])

export const ById = Type.Object({ id: Type.String({ description: 'Its id, or its path, encoded.' }) })

/** A role, by its number. */
export const AccessLevel = Type.Enum(Object.values(Role), { type: 'integer' })

const settings = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  path: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  description: Type.Optional(Type.Union([Type.String({ maxLength: 2000 }), nothing])),
  visibility: Type.Optional(Visibility),
  default_branch: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  topics: Type.Optional(Topics),
  tag_list: Type.Optional(Topics),
  monitoring_access_level: Type.Optional(MonitoringAccess),
  monitor_access_level: Type.Optional(MonitoringAccess)
}

export const ProjectBody = Type.Object(settings)
export const NewProjectBody = Type.Object({ ...settings, namespace_id: Type.Optional(Type.Integer()) })
export const TransferBody = Type.Object({ namespace: Type.Union([Type.Integer(), Type.String({ maxLength: 1000 })]) })

/** For what would be gone at once: says once more what it is. */
export const RemoveBody = Type.Object({ permanently_remove: Type.Optional(Type.Boolean()), full_path: Type.Optional(Type.String()) })
export const Accepted = Type.Object({ message: Type.String() })

const filters = {
  search: Type.Optional(Type.String({ maxLength: 255 })),
  visibility: Type.Optional(Visibility),
  archived: Type.Optional(Type.Boolean()),
  owned: Type.Optional(Type.Boolean()),
  membership: Type.Optional(Type.Boolean()),
  min_access_level: Type.Optional(AccessLevel),
  topic: Type.Optional(Type.String({ maxLength: 1000, description: 'Several are separated by commas.' })),
  simple: Type.Optional(Type.Boolean()),
  repository_storage: Type.Optional(Type.String({ description: 'For admins.' })),
  id_after: Type.Optional(Type.Integer()),
  id_before: Type.Optional(Type.Integer()),
  last_activity_after: Type.Optional(Type.String()),
  last_activity_before: Type.Optional(Type.String())
}

export const ProjectsQuery = Type.Object({
  ...paging,
  ...keysetParameters,
  ...filters,
  order_by: Type.Optional(Type.Enum(Object.keys(orders) as (keyof typeof orders)[]))
})

export const GroupProjectsQuery = Type.Object({ ...ProjectsQuery.properties, include_subgroups: Type.Optional(Type.Boolean()) })

export const Person = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  state: Type.String(),
  avatar_url: nothing,
  web_url: Type.String()
})

const Access = Type.Union([Type.Object({ access_level: Type.Integer(), notification_level: Type.Integer() }), nothing])

export const ProjectShape = Type.Object({
  id: Type.Integer(),
  description: Text,
  name: Type.String(),
  name_with_namespace: Type.String(),
  path: Type.String(),
  path_with_namespace: Type.String(),
  created_at: Type.String(),
  default_branch: Type.String(),
  tag_list: Type.Array(Type.String()),
  topics: Type.Array(Type.String()),
  ssh_url_to_repo: Type.String(),
  http_url_to_repo: Type.String(),
  web_url: Type.String(),
  readme_url: nothing,
  forks_count: Type.Integer(),
  avatar_url: nothing,
  star_count: Type.Integer(),
  last_activity_at: Type.String(),
  visibility: Visibility,
  namespace: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    path: Type.String(),
    kind: Type.String(),
    full_path: Type.String(),
    parent_id: Type.Union([Type.Integer(), nothing]),
    avatar_url: nothing,
    web_url: Type.String()
  }),
  // The rest is left out of the simple form.
  archived: Type.Optional(Type.Boolean()),
  creator_id: Type.Optional(Type.Union([Type.Integer(), nothing])),
  updated_at: Type.Optional(Type.String()),
  monitoring_access_level: Type.Optional(MonitoringAccess),
  monitor_access_level: Type.Optional(MonitoringAccess),
  import_status: Type.Optional(Type.String()),
  shared_with_groups: Type.Optional(Type.Array(Type.Object({}))),
  owner: Type.Optional(Person),
  _links: Type.Optional(Type.Record(Type.String(), Type.String())),
  repository_storage: Type.Optional(Type.String()),
  permissions: Type.Optional(Type.Object({ project_access: Access, group_access: Access }))
})
