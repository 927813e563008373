import { isFilePath } from '#platform/git/names.ts'
import type { Frame } from '../events/stack-trace.ts'

/** Where a frame says that its file is, in segments. */
export interface FramePath {
  segments: string[]
  /** Without the directory of the deployment, if it is known by its name. */
  own: string[]
  /** Whether its first segments may be others in the repository: those of an unknown directory, or of a package. */
  isLoose: boolean
}

type FileNames = Pick<Frame, 'filename' | 'abs_path' | 'module'>

const jvmFile = /^[^/\\]+\.(java|kt|kts|scala|groovy|clj)$/i
const moduleName = /^\w+(\.\w+)*$/
const scheme = /^[a-z][a-z0-9+.-]+:\/*/i
const host = /^(https?|webpack|capacitor|ionic|file):\/\/[^/]*/i
const drive = /^[a-z]:[\\/]/i
/** Directories that programs are often deployed to. */
const root =
  /^(app|workspace|code|usr\/src\/app|usr\/src|usr\/app|usr\/local\/app|var\/task|var\/www\/[^/]+|(srv|opt)\/[^/]+|(home|Users)\/[^/]+\/[^/]+)\//
/** Directories of third-party code: a path below one matches only a file that is below it in the repository, too. */
const dependencies = new Set(['node_modules', 'site-packages', 'dist-packages', 'vendor', 'gems', 'Pods', '.cargo', 'rustc', 'pkg/mod'])
const systems = /^usr\/(local\/)?(lib|go)$/

/** The paths by which a frame names its file, the most specific first. None for code that has no file. */
export function framePathsOf({ filename, abs_path: absolute, module }: FileNames) {
  if (!filename) return []
  if (module && jvmFile.test(filename)) return readPaths([packageOf(module) + filename]).map(path => ({ ...path, isLoose: true }))
  if (module && module === filename) return moduleName.test(module) ? readPaths([pythonFile(module)]) : []
  const isOfModule = module && moduleName.test(module) && pythonFile(module).endsWith(`/${filename}`)
  const paths = readPaths([absolute ?? filename, isOfModule ? pythonFile(module) : filename])
  const ofOthers = paths.find(path => dependencyDepth(path) > 0)

  return ofOthers ? [ofOthers] : paths
}

/** How many segments lead to what a package manager or the system installed; 0 for own code. */
export function dependencyDepth({ segments }: FramePath) {
  const isEnd = (name: string, n: number) =>
    dependencies.has(name) || dependencies.has(`${segments[n - 1]}/${name}`) || systems.test(segments.slice(0, n + 1).join('/'))

  return segments.slice(0, -1).findLastIndex(isEnd) + 1
}

/** `com.example.Cart` and `com.example.Cart$Line` are in `com/example/`. */
function packageOf(module: string) {
  const names = module.split('.').slice(0, -1)

  return names.map(name => `${name}/`).join('')
}

function pythonFile(module: string) {
  return `${module.replaceAll('.', '/')}.py`
}

function readPaths(texts: string[]) {
  return [...new Set(texts)].map(readPath).filter(path => path !== undefined)
}

/** Any notation of a path: an address, a Windows path, or the name that a bundler gives a module. */
function readPath(text: string): FramePath | undefined {
  const path = toSlashes(text).replace(/\?.*$/s, '')
  const isAddress = scheme.test(path) && !drive.test(path)
  const bare = isAddress ? path.replace(host, '').replace(scheme, '').replace(/#.*$/s, '') : path.replace(drive, '/')
  const segments = normalise(bare.split('/'))
  const joined = segments.join('/')

  if (!isFilePath(joined) || /[<>]/.test(segments.at(-1)!)) return undefined
  const isAbsolute = isAddress ? /^file:/i.test(path) : bare.startsWith('/')
  const own = isAbsolute ? joined.replace(root, '').split('/') : segments

  return { segments, own, isLoose: /^package:/.test(path) || (isAbsolute && own.length === segments.length) }
}

function toSlashes(text: string) {
  return drive.test(text) || !text.includes('/') ? text.replaceAll('\\', '/') : text
}

/** Without `.`, `~` and empty segments; `..` ends the segment before it. */
function normalise(segments: string[]) {
  const kept: string[] = []

  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.' && segment !== '~') kept.push(segment)
  }

  return kept
}
