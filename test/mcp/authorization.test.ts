import { Client, type OAuthClientProvider, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import t, { type Test } from 'tap'
import { anApplication } from '../oauth/authorizing.ts'
import { authorizeInBrowser, authorizeWithForms, openIssuer, waitForCallback } from '../oauth/clients/issuer.ts'
import { noBrowser } from '../support/browser.ts'

/** The memory of an agent: its registration, its tokens, and the page that it opens. */
class AgentMemory implements OAuthClientProvider {
  redirectUrl: string
  scope?: string
  client: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>
  stored: Awaited<ReturnType<OAuthClientProvider['tokens']>>
  discovery: Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>
  verifier = ''
  opened: URL[] = []

  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl
  }

  get clientMetadata() {
    return { client_name: 'Agent', redirect_uris: [this.redirectUrl] }
  }

  clientInformation = () => this.client
  saveClientInformation = (client: typeof this.client) => {
    this.client = client
  }
  tokens = () => this.stored
  saveTokens = (tokens: typeof this.stored) => {
    this.stored = tokens
  }
  discoveryState = () => this.discovery
  saveDiscoveryState = (discovery: typeof this.discovery) => {
    this.discovery = discovery
  }
  redirectToAuthorization = (url: URL) => {
    this.opened.push(url)
  }
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier
  }
  codeVerifier = () => this.verifier
}

async function openAgent(t: Test, { allowsRegistration = true } = {}) {
  const world = await openIssuer(t, { env: { OAUTH_DYNAMIC_REGISTRATION: String(allowsRegistration) } })
  const { redirectUri, received } = await waitForCallback(t)
  const memory = new AgentMemory(redirectUri)
  const url = new URL('/api/v4/mcp', world.issuer)
  const openTransport = () => new StreamableHTTPClientTransport(url, { authProvider: memory })

  return {
    ...world,
    memory,
    received,
    redirectUri,
    openTransport,
    async connect() {
      const client = new Client({ name: 'agent', version: '1.0.0' })

      await client.connect(openTransport())
      t.teardown(() => client.close())

      return client
    }
  }
}

t.test('an agent registers itself, and its user authorizes it in Chromium', { skip: noBrowser || false }, async t => {
  const { memory, connect, openTransport, received } = await openAgent(t)

  await t.rejects(connect(), UnauthorizedError)
  t.equal(memory.opened[0]!.searchParams.get('scope'), 'read_api api', 'as the metadata of the resource says')
  await authorizeInBrowser(t, memory.opened[0]!)
  await openTransport().finishAuth((await received).searchParams)
  const client = await connect()
  const { isError } = await client.callTool({ name: 'list_projects', arguments: {} })

  t.not(isError, true)
  t.match(memory.stored?.access_token, /^[0-9a-f]{64}$/)
})

t.test('an expired token is refreshed without the user', async t => {
  const world = await openAgent(t)
  const { memory, connect, openTransport, platform } = world

  await t.rejects(connect(), UnauthorizedError)
  await openTransport().finishAuth((await authorizeWithForms(world, memory.opened[0]!)).searchParams)
  const first = memory.stored!.access_token

  await platform.pool.query("UPDATE oauth_tokens SET expires_at = now() - interval '1 second'")
  const client = await connect()

  t.equal((await client.listTools()).tools.length, 18)
  t.not(memory.stored!.access_token, first)
  t.equal(memory.opened.length, 1)
})

t.test('an agent that may only read asks its user for more when a tool changes something', async t => {
  const world = await openAgent(t, { allowsRegistration: false })
  const { memory, connect, openTransport, platform, redirectUri, call } = world
  const { client_id } = await anApplication(platform, { redirectUris: [redirectUri], isConfidential: false, scopes: ['read_api', 'api'] })
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })

  memory.client = { client_id, issuer: world.issuer }
  await t.rejects(connect(), UnauthorizedError)
  const reading = new URL(memory.opened[0]!)

  reading.searchParams.set('scope', 'read_api')
  await openTransport().finishAuth((await authorizeWithForms(world, reading)).searchParams)
  const client = await connect()
  const change = { name: 'comment_on_error', arguments: { project: String(project.id), error_id: 1, body: 'Found it.' } }

  t.not((await client.callTool({ name: 'list_projects', arguments: {} })).isError, true)
  await t.rejects(client.callTool(change), UnauthorizedError)
  t.same(memory.opened.at(-1)!.searchParams.get('scope')?.split(' ').sort(), ['api', 'read_api'])
  await openTransport().finishAuth((await authorizeWithForms(world, memory.opened.at(-1)!)).searchParams)
  const { content } = await (await connect()).callTool(change)

  t.match((content as { text: string }[])[0]!.text, '404 Error Not Found', 'the tool was called')
})
