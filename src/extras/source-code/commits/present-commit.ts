import Type, { type Static } from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import type { Commit, CommitStats } from '#repositories/objects/read-commits.ts'

const Stats = Type.Object({ additions: Type.Integer(), deletions: Type.Integer(), total: Type.Integer() })

export const CommitShape = Type.Object({
  id: Type.String(),
  short_id: Type.String(),
  created_at: Type.String(),
  parent_ids: Type.Array(Type.String()),
  title: Type.String(),
  message: Type.String(),
  author_name: Type.String(),
  author_email: Type.String(),
  authored_date: Type.String(),
  committer_name: Type.String(),
  committer_email: Type.String(),
  committed_date: Type.String(),
  trailers: Type.Record(Type.String(), Type.String()),
  extended_trailers: Type.Record(Type.String(), Type.Array(Type.String())),
  web_url: Type.String(),
  stats: Type.Optional(Stats)
})

const LastPipeline = Type.Object({
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: Type.Integer(),
  sha: Type.String(),
  ref: Type.String(),
  status: Type.String(),
  source: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  web_url: Type.String()
})

export type LastPipeline = Static<typeof LastPipeline>

export const ExpandedCommit = Type.Object({
  ...CommitShape.properties,
  status: Nullable(Type.String({ description: 'The status of its last pipeline.' })),
  project_id: Type.Integer(),
  last_pipeline: Nullable(LastPipeline)
})

export interface CommitView {
  projectUrl: string
  stats?: Map<string, CommitStats>
}

export function presentCommit(commit: Commit, { projectUrl, stats }: CommitView) {
  const { id, parentIds, author, committer, message } = commit

  return {
    id,
    short_id: id.slice(0, 8),
    created_at: committer.at,
    parent_ids: parentIds,
    title: titleOf(message),
    message,
    author_name: author.name,
    author_email: author.email,
    authored_date: author.at,
    committer_name: committer.name,
    committer_email: committer.email,
    committed_date: committer.at,
    ...presentTrailers(commit.trailers),
    web_url: `${projectUrl}/-/commit/${id}`,
    ...(stats && { stats: stats.get(id) ?? { additions: 0, deletions: 0, total: 0 } })
  }
}

export function presentExpandedCommit(commit: Commit, view: CommitView, projectId: number, pipeline?: LastPipeline) {
  return { ...presentCommit(commit, view), status: pipeline?.status ?? null, project_id: projectId, last_pipeline: pipeline ?? null }
}

/** The first line, shortened like GitLab's. */
export function titleOf(message: string) {
  const line = message.trimStart().split('\n', 1)[0]!.trimEnd()

  if (line.length < 100) return line
  const start = line.slice(0, 78)
  const end = start.lastIndexOf(' ')

  return `${end > 0 ? start.slice(0, end) : start}...`
}

function presentTrailers(text: string) {
  const pairs = text.split('\n').flatMap(line => {
    const at = line.indexOf(': ')

    return at > 0 ? [[line.slice(0, at), line.slice(at + 2)] as const] : []
  })
  const byKey = Map.groupBy(pairs, ([key]) => key)

  return {
    trailers: Object.fromEntries(pairs),
    extended_trailers: Object.fromEntries([...byKey].map(([key, values]) => [key, values.map(([, value]) => value)]))
  }
}
