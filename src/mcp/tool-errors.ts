import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Problem } from '#api/problems/problems.ts'
import { lookUp } from '#lib/json.ts'
import { line } from '#lib/markdown.ts'
import type { Reasons } from '#lib/refusals.ts'
import type { Tool } from './tool.ts'

const maxSentence = 2000

/** Use cases speak of parameters of the REST API, which some arguments of tools differ from. */
const argumentNames: Record<string, string> = { assignee_id: 'assignee', assignee_ids: 'assignee' }

/** A result that tells the agent what is wrong and what to do next. */
export function toolError(problem: Problem, tool: Tool): CallToolResult {
  const sentence = line(describe(problem, tool), maxSentence)

  return {
    content: [{ type: 'text', text: `${sentence.endsWith('.') ? sentence : `${sentence}.`} ${nextStep(problem)}` }],
    isError: true
  }
}

function describe({ body }: Problem, tool: Tool) {
  if (typeof body === 'string') return body
  const message = body.message ?? body.error_description ?? body.error

  return typeof message === 'string' ? message : describeReasons(message as Reasons, tool)
}

/** Reasons that are about no argument of the tool stand alone. */
function describeReasons(reasons: Reasons, { input }: Tool) {
  return Object.entries(reasons)
    .map(([attribute, reason]) => {
      const name = lookUp(argumentNames, attribute) ?? attribute
      const text = Array.isArray(reason) ? reason.join(', ') : JSON.stringify(reason)

      return Object.hasOwn(input.properties, name) ? `${name} ${text}` : text
    })
    .join(', ')
}

function nextStep({ status, body }: Problem) {
  if (status === 403 && typeof body === 'object' && body.error === 'insufficient_scope') {
    return `Ask the user for a token with the scope ${body.scope}, or leave the change to the user.`
  }
  if (status === 400) return 'Correct the arguments and call the tool again.'
  if (status === 403) return 'The user lacks the role for this. Tell the user, and do not try it again.'
  if (status === 404) return 'Check the ids with the list tools. Anything that the user may not see is not found, either.'
  if (status === 409 || status === 412) return 'Read it again, then decide whether the change is still needed.'

  return 'Try again in a minute.'
}
