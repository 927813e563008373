import { type RawBuilder, sql } from 'kysely'
import Type, { type TSchema } from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import { NotFound } from '#lib/refusals.ts'
import { writeTime } from '#lib/time.ts'
import { Namespace } from '#namespaces/namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { byIdOrPath } from '#projects/find-project.ts'
import { type ProjectRow, presentSimpleProject } from '#projects/present-project.ts'
import { Project } from '#projects/project.ts'
import { projectJson } from '#projects/project-store.ts'
import type { RepositoryOwner } from '#repositories/repository.ts'
import { Snippet, snippetUrls } from '#snippets/snippet.ts'
import type { MoveKindName } from './bulk-move.ts'

/** One kind of thing that has a repository: how it is found, and shown beside its moves. */
export interface MoveKind {
  name: MoveKindName
  plural: string
  /** The schema of what `present` returns. */
  shape: TSchema
  find: (em: EntityManager, id: string) => Promise<RepositoryOwner>
  /** A JSON object for the repository `r`. */
  json: RawBuilder<unknown>
  present: (row: never, baseUrl: string) => object
}

const project: MoveKind = {
  name: 'project',
  plural: 'projects',
  shape: Type.Object({
    id: Type.Integer(),
    description: Nullable(Type.String()),
    name: Type.String(),
    name_with_namespace: Type.String(),
    path: Type.String(),
    path_with_namespace: Type.String(),
    created_at: Type.String()
  }),
  async find(em, id) {
    const found = await em.findOne(Project, byIdOrPath(id))

    if (!found) throw new NotFound('Project')

    return { projectId: found.id }
  },
  json: sql`(SELECT ${projectJson} FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = r.project_id)`,
  present(row: ProjectRow, baseUrl) {
    const { id, description, name, name_with_namespace, path, path_with_namespace, created_at } = presentSimpleProject(row, baseUrl)

    return { id, description, name, name_with_namespace, path, path_with_namespace, created_at }
  }
}

const group: MoveKind = {
  name: 'group',
  plural: 'groups',
  shape: Type.Object({ id: Type.Integer(), web_url: Type.String(), name: Type.String() }),
  async find(em, id) {
    const found = await em.findOne(Namespace, { ...byIdOrPath(id), kind: 'group' })

    if (!found) throw new NotFound('Group')

    return { groupId: found.id }
  },
  json: sql`(SELECT jsonb_build_object('id', n.id, 'name', n.name, 'full_path', n.full_path) FROM namespaces n WHERE n.id = r.group_id)`,
  present({ id, name, full_path: path }: { id: number; name: string; full_path: string }, baseUrl) {
    return { id, web_url: `${baseUrl}/groups/${path}`, name }
  }
}

interface SnippetRow {
  id: number
  title: string
  description: string | null
  visibility: string
  updated_at: string
  created_at: string
  project_id: number | null
  project_path: string | null
}

const snippet: MoveKind = {
  name: 'snippet',
  plural: 'snippets',
  shape: Type.Object({
    id: Type.Integer(),
    title: Type.String(),
    description: Nullable(Type.String()),
    visibility: Type.String(),
    updated_at: Type.String(),
    created_at: Type.String(),
    project_id: Nullable(Type.Integer()),
    web_url: Type.String(),
    raw_url: Type.String(),
    http_url_to_repo: Type.String()
  }),
  async find(em, id) {
    const found = /^\d{1,15}$/.test(id) ? await em.findOne(Snippet, { id: Number(id) }) : null

    if (!found) throw new NotFound('Snippet')

    return { snippetId: found.id }
  },
  json: sql`(SELECT to_jsonb(s) || jsonb_build_object('project_path', p.full_path)
             FROM snippets s LEFT JOIN projects p ON p.id = s.project_id WHERE s.id = r.snippet_id)`,
  present(row: SnippetRow, baseUrl) {
    const { id, title, description, visibility, updated_at, created_at, project_id: projectId, project_path: path } = row
    const times = { updated_at: writeTime(updated_at), created_at: writeTime(created_at) }

    return {
      ...{ id, title, description, visibility, ...times, project_id: projectId },
      ...snippetUrls({ id, projectId, projectPath: path ?? undefined }, baseUrl)
    }
  }
}

export const moveKinds: MoveKind[] = [project, group, snippet]
