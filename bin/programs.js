import { join } from 'node:path'
import { bundle, packed } from './bundle.js'
import { environment, install, isPackage, node, root } from './install.js'
import { dataDir } from './launch-lock.js'
import { runToEnd } from './reaper.js'

/**
 * V8 would let its young generation grow to 128 MiB and keep it (docs/contributing/benchmarks.md). `gc` frees
 * what the start left behind (src/platform/process/process.ts).
 */
const flags = ['--max-semi-space-size=8', '--expose-gc']

export const programs = ['web', 'worker']

/** How one of Tocsin's programs is run from a folder of bundles. */
export function programIn(folder, name, args, env = {}) {
  return { file: node, args: [...flags, join(folder, `${name}.js`), ...args], env: environmentOf(env) }
}

/** How a command that only needs the settings is run: a checkout has it before its bundles are made. */
export function settingsCommand(name) {
  return { file: node, args: [isPackage ? join(packed, 'cli.js') : join(root, 'src', 'cli', 'main.ts'), name] }
}

/** This process becomes the program, where the host's Node can do that. */
export async function becomeProgram(name, args) {
  install()
  const program = programIn(await bundle(), name, args)

  process.execve?.(program.file, [program.file, ...program.args], program.env)
  process.exit(await runToEnd(program.file, program.args, { env: program.env }))
}

/** The same for a line of a Procfile, in which `node bin/tocsin.js` is Tocsin, and `node` the pinned Node. */
export function commandIn(folder, line, env) {
  const [file, ...args] = line.split(/\s+/)
  const [script, name, ...rest] = args

  if (file === 'node' && script === 'bin/tocsin.js' && programs.includes(name)) return programIn(folder, name, rest, env)

  return { file: file === 'node' ? node : file, args, env: environmentOf(env) }
}

/** Compiled code is kept between starts. */
function environmentOf(env) {
  return environment({ DATA_DIR: dataDir, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(dataDir, 'compiled'), ...env })
}
