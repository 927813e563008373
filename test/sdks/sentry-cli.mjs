/**
 * Whether the real sentry-cli gets source maps to Tocsin, and events of the minified code come back as it was written; and
 * whether its commands for releases, deploys, issues, events and lists work.
 *
 * Usage: node test/sdks/sentry-cli.mjs [version …]      (versions of @sentry/cli; 2 and 3 when none is named)
 *
 * Starts a Tocsin of its own in a temporary folder, on REDIS_URL when that is set, or else with its queues in Postgres;
 * installs sentry-cli and esbuild there from npm; builds, injects, uploads; sends an event; reads its stack trace.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { runInThisContext } from 'node:vm'

if (process.argv.includes('--help')) {
  console.log(readFileSync(import.meta.filename, 'utf8').split('*/')[0].replace(/^\/?\s?\*+ ?/gm, ''))
  process.exit(0)
}

const named = process.argv.slice(2)
const versions = named.length > 0 ? named : ['2', '3']
const token = 'glpat-of-the-sentry-cli-check'
const folder = mkdtempSync(join(tmpdir(), 'tocsin-sentry-cli-'))
const tocsin = spawn(process.execPath, [join(import.meta.dirname, '..', '..', 'bin', 'start.js')], {
  env: { ...process.env, PORT: '0', DATA_DIR: join(folder, 'data'), ROOT_TOKEN: token, NAMESPACE: `sentry_cli_${process.pid}` },
  stdio: ['ignore', 'pipe', 'inherit']
})

try {
  const url = await readyUrl()
  const call = (method, path, body) => ask(`${url}/api/v4${path}`, { method, body: body && JSON.stringify(body) })

  for (const version of versions) await check(version, url, call)
  console.log(`sentry-cli ${versions.join(' and ')}: maps uploaded, frames resolved, commands answered (queues in ${process.env.REDIS_URL ? 'Redis' : 'Postgres'})`)
} finally {
  tocsin.kill('SIGTERM')
  await once(tocsin, 'exit')
  rmSync(folder, { recursive: true, force: true })
}

async function check(version, url, call) {
  const home = join(folder, `cli-${version}`)
  const project = await call('POST', '/projects', { name: `Shop ${version}` })
  const errors = `/projects/${project.id}/error_tracking`

  await call('PUT', `${errors}/settings`, { active: true, integrated: true })
  const { sentry_dsn: dsn } = await call('POST', `${errors}/client_keys`)

  build(home, version)
  const env = { ...process.env, SENTRY_URL: url, SENTRY_ORG: 'root', SENTRY_PROJECT: project.path, SENTRY_AUTH_TOKEN: token }
  const cli = (...args) => {
    const output = execFileSync(join(home, 'node_modules/.bin/sentry-cli'), args, { cwd: home, env, encoding: 'utf8' })

    console.log(output)

    return output
  }

  cli('info')
  cli('releases', 'new', 'shop@1.0.0')
  cli('sourcemaps', 'inject', 'dist')
  cli('sourcemaps', 'upload', '--release', 'shop@1.0.0', '--wait', 'dist')
  cli('releases', 'finalize', 'shop@1.0.0')

  await manageReleases(cli, call, errors, { home, env })
  assert.match(cli('organizations', 'list'), /\| root /)
  assert.match(cli('projects', 'list'), new RegExp(`\\| ${project.path} `))
  await monitor(cli, env, dsn)
  await manageIssues(cli, call, errors, env, dsn)

  const address = 'https://shop.example/app.js'
  await send(dsn, crash(join(home, 'dist', 'app.js'), address))
  const trace = await eventually(async () => {
    const [error] = await call('GET', `${errors}/errors`)

    return error && (await call('GET', `${errors}/errors/${error.fingerprint}/stack_trace`)).error.stack_trace_entries
  })
  console.table(trace.map(({ context: _, raw, ...frame }) => ({ ...frame, raw: raw && `${raw.function} ${raw.lineNo}:${raw.colNo}` })))
  assert.deepEqual(
    trace.slice(-2).map(frame => [frame.function, frame.filename, frame.lineNo]),
    [
      ['checkOut', 'src/main.ts', 4],
      ['priceOf', 'src/cart.ts', 6]
    ]
  )
}

async function monitor(cli, env, dsn) {
  env.SENTRY_DSN = dsn
  cli('monitors', 'run', 'nightly', '--schedule', '0 3 * * *', '--timezone', 'Europe/Berlin', '--', 'true')
  assert.throws(() => cli('monitors', 'run', 'hourly', '--', 'false'))
  await eventually(async () => {
    const list = cli('monitors', 'list')

    return /nightly/.test(list) && /hourly/.test(list)
  })
}

async function manageReleases(cli, call, errors, { home, env }) {
  cli('releases', 'new', 'shop@0.9.0')
  cli('deploys', 'new', '--release', 'shop@0.9.0', '--env', 'live', '--name', 'first', '--time', '60')
  assert.match(cli('deploys', 'list', '--release', 'shop@0.9.0'), /\| live +\| first /)
  const { last_deploy: deploy } = await call('GET', `${errors}/releases/${encodeURIComponent('shop@0.9.0')}`)
  assert.equal(Date.parse(deploy.finished_at) - Date.parse(deploy.started_at), 60_000)
  assert.equal(deploy.environment, 'live')
  assert.match(cli('releases', 'info', '--show-projects', 'shop@0.9.0'), /shop@0\.9\.0/)
  await nameCommits(cli, { home, env })
  cli('releases', 'archive', 'shop@0.9.0')
  assert.doesNotMatch(cli('releases', 'list'), /shop@0\.9\.0/)
  cli('releases', 'restore', 'shop@0.9.0')
  assert.match(cli('releases', 'list'), /shop@0\.9\.0/)
  cli('releases', 'delete', 'shop@0.9.0')
  assert.doesNotMatch(cli('releases', 'list'), /shop@0\.9\.0/)
}

/** `--auto` has a remote in its repository, `--local` has none. */
async function nameCommits(cli, { home, env }) {
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], { cwd: home, encoding: 'utf8' }).trim()
  const commits = async version => (await ask(`${env.SENTRY_URL}/api/0/organizations/root/releases/${encodeURIComponent(version)}/`, {})).commitCount

  writeFileSync(join(home, '.gitignore'), 'node_modules\n')
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Sell hats')
  git('commit', '--quiet', '--allow-empty', '--message', 'Sell shoes')
  cli('releases', 'set-commits', 'shop@0.9.0', '--local')
  assert.equal(await commits('shop@0.9.0'), 2)
  git('commit', '--quiet', '--allow-empty', '--message', 'Sell coats')
  git('remote', 'add', 'origin', 'https://git.example/shop/shop.git')
  cli('releases', 'new', 'shop@0.9.1')
  cli('releases', 'set-commits', 'shop@0.9.1', '--auto')
  assert.equal(await commits('shop@0.9.1'), 1, 'those since the release before')
}

async function manageIssues(cli, call, errors, env, dsn) {
  env.SENTRY_DSN = dsn
  cli('send-event', '--message', 'sent by hand', '--tag', 'by:hand', '--user', 'id:7')
  const { fingerprint: id } = await eventually(async () => (await call('GET', `${errors}/errors`))[0])
  const statusOf = async () => (await call('GET', `${errors}/errors/${id}`)).status

  assert.match(cli('issues', 'list', '--query', 'is:unresolved'), /sent by hand/)
  assert.match(cli('events', 'list', '--show-user', '--show-tags'), /sent by hand/)
  cli('issues', 'mute', '--id', String(id))
  assert.equal(await statusOf(), 'ignored')
  cli('issues', 'unresolve', '--status', 'muted')
  assert.equal(await statusOf(), 'unresolved')
  cli('issues', 'resolve', '--all')
  assert.equal(await statusOf(), 'resolved')
}

function build(home, version) {
  mkdirSync(join(home, 'src'), { recursive: true })
  writeFileSync(join(home, 'package.json'), '{"private":true}')
  writeFileSync(
    join(home, 'src/cart.ts'),
    `export interface Item { name: string; price: number }\n\n/** What it costs. */\nexport function priceOf(item: Item) {\n  // A negative price is an error.\n  if (item.price < 0) throw new RangeError('a negative price: ' + item.name)\n\n  return item.price\n}\n`
  )
  writeFileSync(
    join(home, 'src/main.ts'),
    `import { priceOf } from './cart.ts'\n\nfunction checkOut(price: number) {\n  return priceOf({ name: 'hat', price }) + priceOf({ name: 'coat', price: 2 })\n}\n\nObject.assign(globalThis, { shop: (price: number) => { return checkOut(price) } })\n`
  )
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', `@sentry/cli@${version}`, 'esbuild'], { cwd: home })
  execFileSync(join(home, 'node_modules/.bin/esbuild'), ['src/main.ts', '--bundle', '--minify', '--sourcemap', '--outfile=dist/app.js'], {
    cwd: home
  })
}

/** Runs the build until it throws, and tells of it as SDKs do: with the debug ids that were put into the code. */
function crash(file, address) {
  runInThisContext(readFileSync(file, 'utf8'), { filename: address })
  try {
    globalThis.shop(-1)
  } catch (error) {
    const frames = [...error.stack.matchAll(/^ +at (?:(.+) \()?https:.*?:(\d+):(\d+)\)?$/gm)].map(([, name, lineno, colno]) => ({
      function: name ?? '?',
      abs_path: address,
      filename: address,
      lineno: Number(lineno),
      colno: Number(colno),
      in_app: true
    }))
    const [debugId] = Object.values(globalThis._sentryDebugIds).slice(-1)

    return {
      platform: 'javascript',
      exception: { values: [{ type: error.name, value: error.message, stacktrace: { frames: frames.reverse() } }] },
      debug_meta: { images: [{ type: 'sourcemap', code_file: address, debug_id: debugId }] }
    }
  }
}

async function send(dsn, event) {
  const { protocol, host, username, pathname } = new URL(dsn)
  const at = pathname.lastIndexOf('/')
  const address = `${protocol}//${host}${pathname.slice(0, at)}/api/${pathname.slice(at + 1)}/envelope/?sentry_key=${username}`

  await ask(address, { method: 'POST', body: `{}\n{"type":"event"}\n${JSON.stringify(event)}\n` })
}

async function ask(address, options) {
  const headers = { 'private-token': token, ...(options.body?.startsWith('{"') && { 'content-type': 'application/json' }) }
  const response = await fetch(address, { ...options, headers })
  const text = await response.text()

  if (!response.ok) throw new Error(`${options.method} ${address}: ${response.status} ${text}`)

  return JSON.parse(text)
}

async function eventually(look) {
  for (let n = 0; n < 300; n++) {
    const found = await look()
    if (found) return found
    await sleep(100)
  }
  throw new Error('The event never arrived.')
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
