import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyError, FastifyRequest } from 'fastify'
import { actorOf } from '../audit/record-audit-event.ts'
import { InsufficientScope, type Problem } from '../http/problems/problems.ts'
import { toProblem } from '../http/problems/render-problems.ts'
import { callerOf } from '../identity/identify.ts'
import { bounded } from './markdown/markdown.ts'
import type { Tool } from './tool.ts'

const maxText = 30_000

/** Runs a tool with the rights and scopes of the request's caller. Errors become results that tell the agent what to do next. */
export async function callTool(request: FastifyRequest, tool: Tool, args: unknown): Promise<CallToolResult> {
  const { config, queues, fork } = request.server.platform

  try {
    if (lacksScope(request, tool)) throw new InsufficientScope(tool.scopes)
    const context = { em: fork(), viewer: callerOf(request), by: actorOf(request), baseUrl: config.baseUrl, queues }
    const { text, data } = await tool.run(context, args)

    return { content: [{ type: 'text', text: bounded(text, maxText) }], structuredContent: data }
  } catch (error) {
    const problem = toProblem(error as FastifyError, request)

    return { content: [{ type: 'text', text: `${describe(problem)} ${nextStep(problem)}` }], isError: true }
  }
}

export function lacksScope({ caller }: FastifyRequest, { scopes }: Tool) {
  return caller?.scopes !== 'all' && !caller?.scopes.some(scope => scopes.includes(scope))
}

function describe({ body }: Problem) {
  const message = typeof body === 'string' ? body : (body.message ?? body.error_description ?? body.error)

  const sentence = typeof message === 'string' ? message : JSON.stringify(message)

  return sentence.endsWith('.') ? sentence : `${sentence}.`
}

function nextStep({ status, body }: Problem) {
  if (status === 403 && typeof body === 'object' && body.error === 'insufficient_scope') {
    return `Ask the user for a token with the scope ${body.scope}, or leave the change to the user.`
  }
  if (status === 400) return 'Correct the arguments and call the tool again.'
  if (status === 403) return 'The user lacks the role for this. Tell the user, and do not try it again.'
  if (status === 404) return 'Check the ids with the list tools. What the user may not see is not found, either.'
  if (status === 409 || status === 412) return 'Read it again, then decide whether the change is still needed.'

  return 'Try again in a minute.'
}
