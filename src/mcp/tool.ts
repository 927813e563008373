import Type, { type Static, type TObject, type TProperties } from 'typebox'
import type { Actor } from '#audit/record-audit-event.ts'
import type { Viewer } from '#identity/viewer.ts'
import type { Json } from '#lib/json.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Queues } from '#platform/queue/queues.ts'

/** What a tool acts with: the rights of the caller of the request. */
export interface ToolContext {
  em: EntityManager
  viewer: Viewer
  by: Actor
  baseUrl: string
  queues: Queues
}

/** JSON, and the same facts as Markdown: clients show the model one or the other. */
export interface ToolResult {
  data: Json
  write: (data: Json) => string
  limits?: TextLimits
  /** Where the agent finds what does not fit. */
  rest?: string
}

/** How long texts are at most, by the name of their member, and where the agent finds them in full. */
export type TextLimits = Record<string, { max: number; rest: string }>

export function toResult<Data extends object>(
  data: Data,
  write: (data: Data) => string,
  options: Pick<ToolResult, 'limits' | 'rest'> = {}
) {
  return { data, write, ...options } as unknown as ToolResult
}

interface ToolDefinition<Input extends TProperties> {
  name: string
  title: string
  description: string
  input: Input
  /** Set for tools that change something; `once` when a repeated call changes nothing more. */
  changes?: 'once' | 'each time'
  run: (context: ToolContext, args: Static<TObject<Input>>) => Promise<ToolResult>
}

export type Tool = ReturnType<typeof defineTool>

export function defineTool<Input extends TProperties>({ input, run, changes, ...tool }: ToolDefinition<Input>) {
  return {
    ...tool,
    input: Type.Object(input as TProperties, { additionalProperties: false }),
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
  project: Type.String({ minLength: 1, maxLength: 255, description: 'ID or full path of the project, such as `42` or `shop/api`.' })
}
