import type { FastifyRequest } from 'fastify'
import type { Integration } from '#alerts/integrations/integration.ts'
import { sendTestAlert } from '#alerts/integrations/send-test-alert.ts'
import { asProblem } from '#api/problems/problem-of.ts'

export interface TestResponse {
  status: number
  body: unknown
}

/** Sends a test alert, and returns the response that a monitoring tool would get. */
export async function testResponse({ server, actor }: FastifyRequest, integration: Integration, payload: string): Promise<TestResponse> {
  try {
    return await sendTestAlert(server.platform, integration, payload, actor)
  } catch (error) {
    const problem = asProblem(error)

    if (!problem) throw error

    return { status: problem.status, body: problem.body }
  }
}
