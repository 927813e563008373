import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { World } from './world.ts'

const root = join(import.meta.dirname, '..', '..')

export type Command = [program: string, args: string[]]

/**
 * A program as people run it, without what tap brings into every process that a test starts: that would take longer
 * than most of them live. Whose lines are covered is told by the tests within one process.
 */
export function plainly(program: string, args: string[]): Command {
  return ['env', ['-u', 'NODE_OPTIONS', program, ...args]]
}

/** A process of a world beside the test's own, gone with the test; `script` is named from the project's root. */
export function startChild(
  t: Test,
  { config }: Pick<World, 'config'>,
  [script, ...args]: [string, ...string[]],
  env: object = {},
  stderr: 'inherit' | 'pipe' = 'inherit'
): ChildProcess {
  const { namespace, databaseUrl, dataDir, redisUrl = '', secretKey = readFileSync(join(dataDir, 'secret.key'), 'utf8') } = config
  const child = spawn(...plainly(process.execPath, [join(root, script), ...args]), {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      SECRET_KEY: secretKey,
      NAMESPACE: namespace,
      REDIS_URL: redisUrl,
      LOG_LEVEL: 'silent',
      ...env
    },
    stdio: ['ignore', 'inherit', stderr, 'ipc']
  })

  t.teardown(() => child.kill('SIGKILL'))

  return child
}
