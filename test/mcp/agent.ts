import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { listen } from '../support/listen.ts'
import { rootToken } from '../support/world.ts'

interface AgentOptions {
  token?: string
  /** `auto` speaks the newest revision of the protocol, `legacy` those of 2025. */
  mode?: 'auto' | 'legacy'
}

/** The official client, connected over HTTP. */
export async function connectAgent(t: Test, app: FastifyInstance, { token = rootToken, mode = 'auto' }: AgentOptions = {}) {
  const url = new URL('/api/v4/mcp', await listen(app))
  const client = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode } })

  await client.connect(new StreamableHTTPClientTransport(url, { authProvider: { token: async () => token } }))
  t.teardown(() => client.close())

  /** The text and the data of a tool's result. */
  const use = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: args })
    const [block] = content as { type: string; text: string }[]

    // biome-ignore lint/suspicious/noExplicitAny: each tool has its own shape
    return { text: block!.text, data: structuredContent as any, isError }
  }

  return { client, use }
}
