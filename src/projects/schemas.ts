import Type from 'typebox'
import type { Project } from './project.ts'

const Visibility = Type.Enum(['private', 'internal', 'public'])

export const NewProjectBody = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  path: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  description: Type.Optional(Type.Union([Type.String({ maxLength: 2000 }), Type.Null()])),
  visibility: Type.Optional(Visibility),
  namespace_id: Type.Optional(Type.Integer())
})

export const ProjectShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  path: Type.String(),
  path_with_namespace: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  visibility: Visibility,
  web_url: Type.String(),
  created_at: Type.String(),
  last_activity_at: Type.String()
})

export function presentProject(project: Project, baseUrl: string) {
  return {
    id: project.id,
    name: project.name,
    path: project.path,
    path_with_namespace: project.fullPath,
    description: project.description ?? null,
    visibility: project.visibility,
    web_url: `${baseUrl}/${project.fullPath}`,
    created_at: project.createdAt.toISOString(),
    last_activity_at: project.lastActivityAt.toISOString()
  }
}
