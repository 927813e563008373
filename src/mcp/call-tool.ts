import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyError, FastifyRequest } from 'fastify'
import { InsufficientScope } from '#api/problems/problems.ts'
import { toProblem } from '#api/problems/render-problems.ts'
import type { Json } from '#lib/json.ts'
import { fitResult } from './fit-result.ts'
import type { argumentReader } from './read-arguments.ts'
import type { Tool } from './tool.ts'
import { toolError } from './tool-errors.ts'

interface ToolCall {
  tool: Tool
  readArguments: ReturnType<typeof argumentReader>
  given: Json
}

/** Runs a tool with the rights and scopes of the request's caller. Errors become results that tell the agent what to do next. */
export async function callTool(request: FastifyRequest, { tool, readArguments, given }: ToolCall): Promise<CallToolResult> {
  const { config, queues, fork } = request.server.platform

  try {
    if (lacksScope(request, tool)) throw new InsufficientScope(tool.scopes)
    const args = readArguments(given)
    // A request may hold several calls, which run side by side.
    const context = { em: fork(), viewer: request.user, by: request.actor, baseUrl: config.baseUrl, queues }
    const { text, data } = fitResult(await tool.run(context, args))

    return { content: [{ type: 'text', text }], structuredContent: data }
  } catch (error) {
    return toolError(toProblem(error as FastifyError, request), tool)
  }
}

export function lacksScope({ caller }: FastifyRequest, { scopes }: Tool) {
  return caller?.scopes !== 'all' && !caller?.scopes.some(scope => scopes.includes(scope))
}
