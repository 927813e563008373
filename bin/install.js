import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InstallLock } from './install-lock.js'

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')

/** The pinned Node, one of the dependencies. The host's Node only runs npm and `bin/`. */
export const node = join(root, 'node_modules', 'node', 'bin', 'node')

const stampFile = join(root, 'node_modules', '.tocsin-install.json')
const lock = new InstallLock(root)

/** The environment of the project's processes: the installed tools come first on the PATH. */
export function environment(extra = {}) {
  const tools = join(root, 'node_modules', '.bin')

  // glibc keeps one arena of freed memory per thread; two arenas perform as well in much less memory.
  return { MALLOC_ARENA_MAX: '2', ...process.env, PATH: `${tools}${delimiter}${process.env.PATH}`, ...extra }
}

/**
 * Installs the dependencies exactly as in the lockfile, unless they are installed.
 * Development tools are installed on first use. Modules that a running process uses are not removed.
 */
export function install({ tools = false } = {}) {
  if (!isInstalled(tools)) lock.run(() => isInstalled(tools) || update(tools))
  lock.register()
}

function isInstalled(tools) {
  const stamp = readStamp()

  return isCurrent(stamp) && (!tools || (stamp.tools && stamp.root === root))
}

function isCurrent(stamp) {
  return stamp?.lockfile === fingerprint() && existsSync(node)
}

function update(tools) {
  const stamp = readStamp()
  const withTools = tools || Boolean(stamp?.tools)

  if (!isCurrent(stamp)) reinstall(withTools)
  // Unlike `npm ci`, `npm install` adds the missing modules and keeps the others in place.
  else if (withTools && !stamp.tools) npm(['install', '--include=dev', '--no-save'])
  if (withTools) buildTap()

  writeStamp({ lockfile: fingerprint(), tools: withTools, root })
}

function reinstall(withTools) {
  const users = lock.users()

  if (users.length > 0) {
    console.error(
      `The dependencies have changed, but process ${users.join(', ')} is running from this checkout. Stop it and run this again.`
    )
    process.exit(1)
  }
  rmSync(stampFile, { force: true })
  npm(['ci', ...(withTools ? [] : ['--omit=dev'])])
}

function npm(args) {
  console.log(`Installing dependencies (npm ${args[0]}; this takes a minute) …`)
  const { status, error } = spawnSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // NODE_ENV=production would omit the development tools.
    env: { ...process.env, NODE_ENV: '' }
  })

  if (status === 0) return
  console.error(`\nThe dependencies could not be installed${error ? `: ${error.message}` : ''}; see npm's output above.`)
  console.error('npm needs its registry, or a mirror set with `npm config set registry`. Then run this again.')
  process.exit(1)
}

/** tap's plugins are absolute symlinks: they are built after an installation, and again in a copied or moved checkout. */
function buildTap() {
  rmSync(join(root, '.tap', 'plugins'), { recursive: true, force: true })
  spawnSync('tap', ['build'], { cwd: root, env: environment(), stdio: 'ignore' })
}

function fingerprint() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'))
  } catch {
    return undefined
  }
}

// Renamed into place: the modules of a copied checkout may be hard links to those of the original.
function writeStamp(stamp) {
  writeFileSync(`${stampFile}.new`, `${JSON.stringify(stamp)}\n`)
  renameSync(`${stampFile}.new`, stampFile)
}
