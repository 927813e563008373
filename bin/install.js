import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InstallLock } from './install-lock.js'

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')

/** Installed by npm as a package, with its dependencies and bundles, and not a checkout. Nothing is written into it. */
export const isPackage = !existsSync(join(root, 'package-lock.json'))

/** Relative paths start here. */
export const home = isPackage ? process.cwd() : root

const modules = join(root, 'node_modules')
const pinnedNode = join(modules, 'node', 'bin', 'node')

/** The pinned Node, one of the dependencies. The host's Node only runs npm and `bin/`, unless npm was to leave the pinned one out. */
export let node = pinnedNode

const tapStamp = join(root, '.tap', 'installation')
const lock = new InstallLock(root)

/**
 * glibc keeps one arena of freed memory for each thread, and ever larger freed blocks in it. Two arenas that return blocks
 * of 128 KiB and more perform as well in less memory. Other C libraries ignore this.
 */
const smallMemory = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }

/** The environment of the project's processes: the installed tools come first on the PATH. */
export function environment(extra = {}) {
  const tools = join(root, 'node_modules', '.bin')

  return { ...smallMemory, ...process.env, PATH: `${tools}${delimiter}${process.env.PATH}`, ...extra }
}

/**
 * Installs the dependencies exactly as in the lockfile, unless they are installed.
 * Development tools are installed on first use. Modules that a running process uses are not removed.
 */
export function install({ tools = false } = {}) {
  if (isPackage) {
    node = findNodeBeside()
    return
  }
  if (!isReady(tools)) lock.run(() => isReady(tools) || update(tools))
  node = findNode() ?? node
  lock.register()
}

/** Whether processes other than this one and its parent use the modules. */
export function isInUse() {
  return lock.users().some(pid => pid !== process.ppid)
}

function isReady(tools) {
  return isInstalled() && (!tools || (hasTools() && isTapBuilt()))
}

function update(tools) {
  if (!isInstalled()) reinstall(tools || isForDevelopment())
  // Unlike `npm ci`, `npm install` adds the missing modules and keeps the others in place.
  else if (tools && !hasTools()) npm(['install', '--include=dev', '--no-save'])
  if (tools && !isTapBuilt()) buildTap()
}

/** Packages that npm may leave out on this system are not looked for. */
function isInstalled() {
  return findNode() !== undefined && isComplete(({ dev, optional, devOptional }) => !dev && !optional && !devOptional)
}

function hasTools() {
  return isComplete(({ dev, optional }) => dev && !optional)
}

function isForDevelopment() {
  return Object.values(readPackages(modules, '.package-lock.json')).some(({ dev }) => dev)
}

/** Whether npm finished installing these packages, in the versions of the lockfile. */
function isComplete(isNeeded) {
  const needed = Object.entries(readPackages(root, 'package-lock.json')).filter(([path, entry]) => path !== '' && isNeeded(entry))
  const installed = readPackages(modules, '.package-lock.json')

  return needed.every(([path, { version }]) => installed[path]?.version === version)
}

/** An image leaves the pinned Node out and has one of the same release. */
function findNode() {
  if (existsSync(pinnedNode)) return pinnedNode
  const [pinned, host] = [readPackages(root, 'package-lock.json')['node_modules/node']?.version, process.versions.node]

  return pinned?.split('.')[0] === host.split('.')[0] && existsSync(join(modules, 'node')) ? process.execPath : undefined
}

/** npm puts the dependencies of a package beside it, and may have been told to run none of their scripts. */
function findNodeBeside() {
  const file = join(createRequire(join(root, 'package.json')).resolve('node/package.json'), '..', 'bin', 'node')

  if (existsSync(file)) return file
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath
  console.error(
    `Tocsin needs Node 24 or newer, and this is ${process.versions.node}. npm did not install the one that it brings, because it ran no ` +
      'scripts of packages. Allow them (`npm approve-scripts node`, then `npm rebuild`), or use a newer Node.'
  )
  process.exit(1)
}

function readPackages(folder, name) {
  try {
    return JSON.parse(readFileSync(join(folder, name), 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}

function reinstall(tools) {
  const users = lock.users()

  if (users.length > 0) {
    console.error(
      `The dependencies have changed, but process ${users.join(', ')} is running from this checkout. Stop it and run this again.`
    )
    process.exit(1)
  }
  npm(['ci', ...(tools ? [] : ['--omit=dev'])])
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
  mkdirSync(join(root, '.tap'), { recursive: true })
  writeFileSync(tapStamp, installation())
}

function isTapBuilt() {
  return existsSync(tapStamp) && readFileSync(tapStamp, 'utf8') === installation()
}

/** npm notes each of its runs in the file. */
function installation() {
  return `${root} ${statSync(join(modules, '.package-lock.json')).mtimeMs}`
}
