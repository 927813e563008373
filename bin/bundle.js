import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isInUse, isPackage, node, root } from './install.js'
import { PidLock } from './pid-lock.js'

const script = fileURLToPath(import.meta.url)
const sources = ['src', 'workers']
/** What else decides how the bundles look. */
const inputs = ['package-lock.json', 'bin/bundle.js', 'bin/source-lines.js']
const bundles = join(root, '.bundle')
/** The bundles of a package. */
export const packed = join(bundles, 'packed')
const lock = new PidLock(join(bundles, 'lock'), /\bbin\/bundle\.js\b/)

/** Found by their own files at run time, and loaded only where they are used. */
const external = ['pg-native', 'esbuild', '@opentelemetry/sdk-node', '@bull-board/*', '@fastify/swagger']

/**
 * Returns the folder of the programs, bundled from the sources as they are now: 3,000 modules in a handful of files start
 * in two thirds of the time and memory. A second's work when the sources have changed. Done in a process of its own: the
 * launcher, which stays, remains small.
 */
export async function bundle() {
  if (isPackage) return packed
  const { stdout } = await promisify(execFile)(node, [script]).catch(error => {
    throw new Error(`Tocsin could not be bundled:\n${error.stderr}`)
  })

  return stdout.trim()
}

async function current() {
  const folder = join(bundles, fingerprint())

  if (existsSync(folder)) return folder
  while (lock.acquire()) await sleep(50)
  try {
    if (!existsSync(folder)) await build(folder)
    removeOthers(folder)
  } finally {
    lock.release()
  }

  return folder
}

/** Not while a process may still load one of their files. */
function removeOthers(folder) {
  if (isInUse()) return
  for (const name of readdirSync(bundles)) {
    if (join(bundles, name) !== folder && name !== basename(lock.file)) rmSync(join(bundles, name), { recursive: true, force: true })
  }
}

function fingerprint() {
  const hash = createHash('sha256')

  for (const path of [...inputs, ...sources.flatMap(filesIn)]) hash.update(path).update(readFileSync(join(root, path)))

  return hash.digest('hex').slice(0, 16)
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(folder, name))
    .sort()
}

/** The programs, and what they run in threads of their own. */
function entryPoints() {
  const threads = sources.flatMap(filesIn).filter(path => path.endsWith('-thread.ts'))

  return {
    web: 'src/server.ts',
    worker: 'workers/main.ts',
    cli: 'src/cli/main.ts',
    demo: 'src/demo/main.ts',
    ...Object.fromEntries(threads.map(path => [basename(path, '.ts'), path]))
  }
}

/** Renamed into place once it is whole. */
async function build(folder) {
  // The launcher, which imports this file, runs before the dependencies are installed.
  const [esbuild, { sourceLines }] = await Promise.all([import('esbuild'), import('./source-lines.js')])
  const unfinished = `${folder}.unfinished`
  const { outputFiles } = await esbuild.build({
    write: false,
    absWorkingDir: root,
    entryPoints: entryPoints(),
    outdir: unfinished,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external,
    // Names of classes tell tables and errors apart.
    keepNames: true,
    sourcemap: 'external',
    sourcesContent: false,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'error',
    banner: { js: banner },
    plugins: [ownPaths]
  })
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished)
  for (const { path, text } of outputFiles) write(path, text, sourceLines)
  renameSync(unfinished, folder)
}

/** For CommonJS modules, and for what finds the files beside it. Bundles are two folders below the root. */
const banner = `import { createRequire as __createRequire } from 'node:module'
const require = __createRequire(import.meta.url)
const __path = path => import.meta.dirname + '/../../' + path
const __bundle = import.meta.url
const __url = path => new URL('../../' + path, __bundle).href
`

/**
 * `keepNames` makes esbuild set the name of every function when it is created, also of closures that each request creates:
 * 6 % of web's CPU time under load. Only the names of classes are needed.
 */
const namesOfAll = 'var __name=(target,value)=>__defProp('
const namesOfClasses = 'var __name=(target,value)=>value.charCodeAt(0)>90?target:__defProp('

function write(path, text, sourceLines) {
  if (!path.endsWith('.map')) return writeFileSync(path, escaped(text.replace(namesOfAll, namesOfClasses)))
  const bundle = path.slice(0, -'.map'.length)
  const { table, sources } = sourceLines(bundle, text)

  writeFileSync(`${bundle}.lines`, table)
  writeFileSync(`${bundle}.sources`, JSON.stringify(sources))
}

/** V8 keeps a text that is not plain ASCII in twice the memory. What is left of that stands in templates, regular expressions and comments. */
function escaped(text) {
  return text.replace(/[\u0080-\uffff]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Modules find the files beside them as if they had not been bundled; threads are bundled, too. */
const ownPaths = {
  name: 'own-paths',
  setup(build) {
    build.onLoad({ filter: /\.[cm]?[jt]s$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')

      if (!/\b__(dir|file)name\b|\bimport\.meta\b/.test(text)) return undefined

      const file = JSON.stringify(relative(root, path))
      const folder = JSON.stringify(relative(root, dirname(path)))
      const contents = text
        .replace(/new URL\('(\.\/[\w-]+-thread)\.ts', import\.meta\.url\)/g, "new URL('$1.js', __bundle)")
        .replace(/\bimport\.meta\.url\b/g, `__url(${file})`)
        .replace(/\bimport\.meta\.filename\b|\b__filename\b/g, `__path(${file})`)
        .replace(/\bimport\.meta\.dirname\b|\b__dirname\b/g, `__path(${folder})`)

      return { contents, loader: path.endsWith('ts') ? 'ts' : 'js' }
    })
  }
}

/** For `npm pack`. */
async function pack() {
  rmSync(packed, { recursive: true, force: true })
  cpSync(await current(), packed, { recursive: true })
}

if (process.argv[1] === script) {
  if (process.argv[2] === '--pack') await pack()
  else console.log(await current())
}
