import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The pinned Node, which the dependencies bring along; the host's only has to run npm. */
export const node = join(root, 'node_modules', 'node', 'bin', 'node')

/** The environment of every process of the project: its own tools come first on the PATH. */
export function environment(extra = {}) {
  const tools = join(root, 'node_modules', '.bin')

  // glibc keeps freed memory in one arena per thread; two arenas serve as well, in much less memory.
  return { MALLOC_ARENA_MAX: '2', ...process.env, PATH: `${tools}${delimiter}${process.env.PATH}`, ...extra }
}

/**
 * Installs the dependencies exactly as the lockfile names them, unless that was done already.
 * Development tools are left out until something needs them.
 */
export function install({ tools = false } = {}) {
  const wanted = fingerprint()
  const present = readStamp()

  if (present?.lockfile === wanted && (present.tools || !tools) && existsSync(node)) return

  console.log(`Installing dependencies${tools ? ' and development tools' : ''} (once; this takes a minute) …`)

  const omit = tools ? [] : ['--omit=dev']
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...omit], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // An inherited NODE_ENV=production would leave the tools out, whatever was asked for.
    env: { ...process.env, NODE_ENV: '' }
  })

  if (status !== 0) {
    console.error(`\nThe dependencies could not be installed${error ? `: ${error.message}` : ''}. npm's words are above;`)
    console.error('it needs the npm registry (or a mirror set with `npm config set registry`), then run this again.')
    process.exit(1)
  }

  // tap is put together from its plugins once; left to do it by itself, its first run would be lost.
  if (tools) spawnSync('tap', ['build'], { cwd: root, env: environment(), stdio: 'ignore' })

  writeFileSync(stamp, `${JSON.stringify({ lockfile: wanted, tools })}\n`)
}

const stamp = join(root, 'node_modules', '.tocsin-install.json')

function fingerprint() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stamp, 'utf8'))
  } catch {
    return undefined
  }
}
