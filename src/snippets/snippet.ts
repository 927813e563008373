import { defineEntity, p } from '@mikro-orm/core'
import { User } from '#identity/users/user.ts'
import type { Visibility } from '#namespaces/namespace.ts'
import { updatedAt } from '#platform/database/updated-at.ts'

export const snippetBranch = 'main'
/** As in GitLab. */
export const maxFiles = 10

export const SnippetSchema = defineEntity({
  name: 'Snippet',
  tableName: 'snippets',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** Null for one of a user. */
    projectId: p.bigint('number').nullable(),
    author: () => p.manyToOne(User),
    title: p.text(),
    description: p.text().nullable(),
    visibility: p.text().$type<Visibility>().default('private'),
    /** Those in its repository, so that lists need not read it. */
    fileNames: p.array<string>().columnType('text[]').default([]),
    /** From the request that created it, for admins. */
    userAgent: p.text(),
    ipAddress: p.text(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

export interface SnippetChanges {
  title?: string
  description?: string | null
  visibility?: Visibility
}

/** A few files that a user shares, with a repository of their own. */
export class Snippet extends SnippetSchema.class {
  /** Undefined members are left unchanged. */
  change(changes: SnippetChanges & { fileNames?: string[] }) {
    Object.assign(this, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)))
  }
}

SnippetSchema.setClass(Snippet)

interface SnippetLocation {
  id: number
  projectId: number | null
  projectPath: string | undefined
}

export function snippetUrls({ id, projectId, projectPath }: SnippetLocation, baseUrl: string) {
  const path = `${projectPath === undefined ? '' : `${projectPath}/`}snippets/${id}.git`

  return {
    web_url: `${baseUrl}/-/snippets/${id}`,
    raw_url: `${baseUrl}/api/v4${projectId === null ? '' : `/projects/${projectId}`}/snippets/${id}/raw`,
    http_url_to_repo: `${baseUrl}/${path}`
  }
}
