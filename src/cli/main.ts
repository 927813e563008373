import { exitWith } from '#platform/process/process.ts'
import type { Command, Input } from './command.ts'

/** Each is loaded when it runs. bin/commands.js says what they are and checks their arguments. */
const commands: Record<string, () => Promise<Command>> = {
  connections: async () => (await import('./settings.ts')).connections,
  settings: async () => (await import('./settings.ts')).settings,
  status: async () => (await import('./status.ts')).status,
  doctor: async () => (await import('./doctor.ts')).doctor,
  'user list': async () => (await import('./users.ts')).listUsers,
  'user create': async () => (await import('./users.ts')).createUser,
  'user reset-password': async () => (await import('./users.ts')).resetPassword,
  'user block': async () => (await import('./users.ts')).blockUser,
  'user unblock': async () => (await import('./users.ts')).unblockUser,
  'token list': async () => (await import('./tokens.ts')).listTokens,
  'token create': async () => (await import('./tokens.ts')).createToken,
  'token revoke': async () => (await import('./tokens.ts')).revokeToken,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./backup.ts')).restore
}

const [name = '', given = '{}'] = process.argv.slice(2)
const input: Input = { args: [], options: {}, hasDatabase: false, ...JSON.parse(given) }

try {
  const run = await commands[name]!()
  const { text, json, isFailure = false } = await run(input)

  process.stdout.write(input.options.json ? `${JSON.stringify(json)}\n` : `${text.trimEnd()}\n`)
  process.exitCode = isFailure ? 1 : 0
} catch (error) {
  if (input.options.json) process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`)
  exitWith(error, undefined, `"tocsin ${name}" failed`)
}
