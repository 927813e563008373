import Type, { type Static, type TObject } from 'typebox'
import type { Actor } from '../audit/record-audit-event.ts'
import { decodeCursor, encodeCursor } from '../http/pagination/keyset.ts'
import type { Viewer } from '../identity/viewer.ts'
import type { EntityManager } from '../platform/database/database.ts'
import type { Queues } from '../platform/queue/queues.ts'

/** What a tool acts with: the rights of the caller of the request. */
export interface ToolContext {
  em: EntityManager
  viewer: Viewer
  by: Actor
  baseUrl: string
  queues: Queues
}

/** Markdown for the model, and the same facts as JSON: clients show the model one or the other. */
export interface ToolResult {
  text: string
  data: Record<string, unknown>
}

interface ToolDefinition<Input extends TObject> {
  name: string
  title: string
  description: string
  input: Input
  /** Set for tools that change something; `once` when a repeated call changes nothing more. */
  changes?: 'once' | 'each time'
  run: (context: ToolContext, args: Static<Input>) => Promise<ToolResult>
}

export type Tool = ReturnType<typeof defineTool>

export function defineTool<Input extends TObject>({ run, changes, ...tool }: ToolDefinition<Input>) {
  return {
    ...tool,
    /** The token needs one of these scopes, as for the REST API. */
    scopes: changes ? ['api'] : ['read_api', 'api'],
    annotations: {
      title: tool.title,
      readOnlyHint: !changes,
      openWorldHint: false,
      ...(changes && { destructiveHint: false, idempotentHint: changes === 'once' })
    },
    run: run as (context: ToolContext, args: unknown) => Promise<ToolResult>
  }
}

export const project = {
  project: Type.String({ minLength: 1, maxLength: 255, description: 'Id or full path of the project, such as `42` or `shop/api`.' })
}

export const paging = {
  cursor: Type.Optional(Type.String({ maxLength: 2000, description: '`next_cursor` of the previous page.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Rows per page; 20 by default.' }))
}

interface List<Row, Position extends unknown[]> {
  /** The types of a position's parts. */
  shape: Parameters<typeof decodeCursor> extends [unknown, ...infer Shape] ? Shape : never
  positionOf: (row: Row) => Position
  list: (after: Position | undefined, limit: number) => Promise<Row[]>
}

/** One page of a list; `next_cursor` is null on the last page. */
export async function page<Row, Position extends unknown[]>(
  { cursor, limit = 20 }: { cursor?: string; limit?: number },
  { shape, positionOf, list }: List<Row, Position>
) {
  const found = await list(decodeCursor<Position>(cursor, ...shape), limit + 1)
  const rows = found.slice(0, limit)

  return { rows, next_cursor: found.length > limit ? encodeCursor(positionOf(rows.at(-1)!)) : null }
}
