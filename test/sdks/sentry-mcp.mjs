/**
 * Whether Sentry's own MCP server works with Tocsin: finds projects, releases and DSNs, searches and reads issues and events,
 * resolves and assigns an issue, and creates a project.
 *
 * Usage: node test/sdks/sentry-mcp.mjs [version]      (of @sentry/mcp-server; the latest when none is named)
 *
 * Starts a Tocsin of its own in a temporary folder, and installs the MCP server there from npm.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

if (process.argv.includes('--help')) {
  console.log(readFileSync(import.meta.filename, 'utf8').split('*/')[0].replace(/^\/?\s?\*+ ?/gm, ''))
  process.exit(0)
}

const [version = 'latest'] = process.argv.slice(2)
const token = 'glpat-of-the-sentry-mcp-check'
const folder = mkdtempSync(join(tmpdir(), 'tocsin-sentry-mcp-'))
const tocsin = spawn(process.execPath, [join(import.meta.dirname, '..', '..', 'bin', 'start.js')], {
  env: { ...process.env, PORT: '0', DATA_DIR: join(folder, 'data'), ROOT_TOKEN: token, NAMESPACE: `sentry_mcp_${process.pid}` },
  stdio: ['ignore', 'pipe', 'inherit']
})

try {
  await check(await readyUrl())
  console.log(`Sentry's MCP server ${version}: all calls answered`)
} finally {
  tocsin.kill('SIGTERM')
  await once(tocsin, 'exit')
  rmSync(folder, { recursive: true, force: true })
}

async function check(url) {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', `@sentry/mcp-server@${version}`], { cwd: folder })
  const id = await sendError(url)
  const client = await connect(new URL(url).host)
  const direct = new Set((await client.listTools()).tools.map(({ name }) => name))
  // Newer versions list some tools, and run the others through one.
  const call = async (tool, args) => {
    const given = { organizationSlug: 'root', ...args }
    const [name, params] = direct.has(tool) ? [tool, given] : ['execute_sentry_tool', { name: tool, arguments: given }]
    const { content, isError } = await client.callTool({ name, arguments: params })
    const text = content.map(part => part.text).join('\n')

    assert.ok(!isError, `${tool}: ${text}`)

    return text
  }

  assert.match(await call('whoami'), /Administrator/)
  assert.match(await call('find_organizations'), /root/)
  assert.match(await call('find_projects'), /demo/)
  assert.match(await call('find_teams'), /root/)
  assert.match(await call('find_releases', { projectSlug: 'demo' }), /1\.0\.0/)
  assert.match(await call('find_dsns', { projectSlug: 'demo' }), /glet_/)
  const [issue] = /DEMO-\d+/.exec(await call('search_issues', { projectSlugOrId: 'demo', query: 'is:unresolved' }))

  assert.match(await call('search_issues', { query: 'is:unresolved level:error', sort: 'freq' }), /no price/)
  assert.match(await call('search_events', { dataset: 'errors', query: 'level:error' }), /no price/)
  assert.match(await call('search_issue_events', { issueId: issue, query: 'region:eu' }), new RegExp(id))
  assert.match(await call('get_sentry_resource', { resourceType: 'issue', resourceId: issue }), /src\/cart\.ts:3/)
  assert.match(await call('get_issue_tag_values', { issueId: issue, tagKey: 'region' }), /eu/)
  assert.match(await call('update_issue', { issueId: issue, status: 'resolved' }), /unresolved → \*\*resolved\*\*/)
  assert.match(await call('update_issue', { issueId: issue, assignedTo: 'user:1' }), /root/)
  assert.match(await call('create_project', { teamSlug: 'root', name: 'Web' }), /glet_/)
  assert.match(await call('create_dsn', { projectSlug: 'demo', name: 'Second' }), /glet_/)
  assert.match(await call('get_event_attachment', { projectSlug: 'demo', eventId: id }), /a\.txt/)
  await client.close()
}

async function sendError(url) {
  const [key] = await ask(`${url}/api/v4/projects/root%2Fdemo/error_tracking/client_keys`)
  const id = 'abcd'.repeat(8)
  const frames = [{ filename: 'src/cart.ts', function: 'pay', lineno: 3, in_app: true, context_line: 'throw' }]
  const event = {
    event_id: id,
    platform: 'node',
    release: 'shop@1.0.0',
    tags: { region: 'eu' },
    exception: { values: [{ type: 'TypeError', value: 'no price', stacktrace: { frames } }] }
  }
  const attachment = '{"type":"attachment","length":3,"filename":"a.txt"}\nabc\n'

  await ask(`${url}/api/1/envelope/?sentry_key=${key.public_key}`, {
    method: 'POST',
    body: `{"event_id":"${id}"}\n{"type":"event"}\n${JSON.stringify(event)}\n${attachment}`
  })
  for (let n = 0; n < 300; n++) {
    if ((await ask(`${url}/api/v4/projects/root%2Fdemo/error_tracking/errors`)).length > 0) return id
    await sleep(100)
  }
  throw new Error('The event never arrived.')
}

async function connect(host) {
  const require = createRequire(join(folder, 'node_modules/@sentry/mcp-server/package.json'))
  const load = path => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${path}`)).href)
  const [{ Client }, { StdioClientTransport }] = [await load('client/index.js'), await load('client/stdio.js')]
  const client = new Client({ name: 'check', version: '1' })

  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [
        join(folder, 'node_modules/@sentry/mcp-server/dist/index.js'),
        `--access-token=${token}`,
        `--host=${host}`,
        '--insecure-http',
        '--disable-skills=seer,docs'
      ],
      env: { ...process.env, SENTRY_DSN: '' },
      stderr: 'ignore'
    })
  )

  return client
}

async function ask(address, options = {}) {
  const response = await fetch(address, { ...options, headers: { 'private-token': token } })
  const text = await response.text()

  if (!response.ok) throw new Error(`${address}: ${response.status} ${text}`)

  return JSON.parse(text)
}

async function readyUrl() {
  for await (const line of createInterface({ input: tocsin.stdout })) {
    const [, url] = /ready (http:\S+)/.exec(line) ?? []
    if (url) {
      tocsin.stdout.resume()
      return url
    }
  }
  throw new Error('Tocsin did not start.')
}
