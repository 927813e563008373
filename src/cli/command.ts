import { pino } from 'pino'
import { boot, type Platform } from '#boot.ts'
import { type Config, readConfigOrExit } from '#config.ts'

export interface Input {
  args: string[]
  options: { json?: boolean; name?: string; admin?: boolean; token?: boolean; scopes?: string; expires?: string }
  /** The process that runs the system on DATA_DIR, if it does. */
  launcher?: number
  /** Whether there is a database that should answer. */
  hasDatabase: boolean
  /** Why it could not be started. */
  databaseProblem?: string
}

export interface Output {
  text: string
  json: unknown
  isFailure?: boolean
}

export type Command = (input: Input) => Promise<Output>

/** Runs a command on the opened installation. Its log goes to stderr. */
export function onPlatform(run: (platform: Platform, input: Input) => Promise<Output>): Command {
  return async input => {
    const config = readConfigOrExit()
    const platform = await openPlatform(config)

    try {
      return await run(platform, input)
    } finally {
      await platform.close()
    }
  }
}

export async function openPlatform(config: Config) {
  const log = pino({ level: 'error' }, pino.destination({ dest: 2, sync: true }))
  const platform = await boot({ ...config, webRole: 'api' }, { role: 'web', log })

  // The address and the mail server that admins have set.
  await platform.storedConfig.load()

  return platform
}

/** Columns as wide as their longest cell. */
export function table(head: string[], rows: (string | number)[][]) {
  const cells = [head, ...rows].map(row => row.map(String))
  const widths = head.map((_, n) => Math.max(...cells.map(row => row[n]!.length)))

  return cells
    .map(row =>
      row
        .map((cell, n) => cell.padEnd(widths[n]!))
        .join('  ')
        .trimEnd()
    )
    .join('\n')
}
