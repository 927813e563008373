import Type from 'typebox'
import type { User } from '#identity/users/user.ts'
import type { Viewer } from '#identity/viewer.ts'
import { Nullable } from '#lib/nullable.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { presentPerson } from '#projects/present-project.ts'
import { Project } from '#projects/project.ts'
import { Person, Visibility } from '#projects/schemas.ts'
import { Repository } from '#repositories/repository.ts'
import type { Snippet } from '#snippets/snippet.ts'
import { snippetBranch, snippetUrls } from '#snippets/snippet.ts'

export const SnippetShape = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  description: Nullable(Type.String()),
  visibility: Visibility,
  author: Person,
  created_at: Type.String(),
  updated_at: Type.String(),
  project_id: Nullable(Type.Integer()),
  web_url: Type.String(),
  raw_url: Type.String({ description: 'That of the first file.' }),
  http_url_to_repo: Type.String(),
  file_name: Type.String({ description: 'That of the first file.' }),
  files: Type.Array(Type.Object({ path: Type.String(), raw_url: Type.String() })),
  imported: Type.Literal(false),
  imported_from: Type.Literal('none'),
  repository_storage: Type.Optional(Type.String({ description: 'For admins.' }))
})

export async function presentSnippets(em: EntityManager, snippets: Snippet[], { baseUrl, viewer }: { baseUrl: string; viewer?: Viewer }) {
  const storages = viewer?.isAdmin ? await storagesOf(em, snippets) : undefined
  const ids = snippets.flatMap(({ projectId }) => projectId ?? [])
  const projects = ids.length > 0 ? await em.find(Project, { id: { $in: ids } }) : []
  const paths = new Map(projects.map(({ id, fullPath }) => [id, fullPath]))

  return snippets.map(snippet => ({
    ...present(snippet, baseUrl, paths.get(snippet.projectId ?? 0)),
    ...(storages && { repository_storage: storages.get(snippet.id) ?? 'default' })
  }))
}

function present(snippet: Snippet, baseUrl: string, projectPath: string | undefined) {
  const { id, projectId, fileNames } = snippet
  const urls = snippetUrls({ id, projectId: projectId ?? null, projectPath }, baseUrl)

  return {
    id,
    title: snippet.title,
    description: snippet.description ?? null,
    visibility: snippet.visibility,
    author: presentPerson(snippet.author as User, baseUrl),
    created_at: snippet.createdAt.toISOString(),
    updated_at: snippet.updatedAt.toISOString(),
    project_id: projectId ?? null,
    ...urls,
    file_name: fileNames[0] ?? '',
    files: fileNames.map(path => ({
      path,
      raw_url: `${urls.raw_url.slice(0, -'/raw'.length)}/files/${snippetBranch}/${encodeURIComponent(path)}/raw`
    })),
    imported: false as const,
    imported_from: 'none' as const
  }
}

async function storagesOf(em: EntityManager, snippets: Snippet[]) {
  const repositories = await em.find(Repository, { snippetId: { $in: snippets.map(({ id }) => id) } })

  return new Map(repositories.map(({ snippetId, storage }) => [snippetId, storage]))
}
