import { join } from 'node:path'
import { environment, node } from './install.js'
import { dataDir } from './launch-lock.js'

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
