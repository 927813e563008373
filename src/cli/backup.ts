import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readConfigOrExit } from '#config.ts'
import { backUp } from '#platform/backup/back-up.ts'
import * as archive from '#platform/backup/restore.ts'
import type { Command } from './command.ts'

export const backup: Command = async ({ args: [file = ''] }) => {
  await backUp(readConfigOrExit(), resolve(file), say)

  return { text: `Backup written to ${file}`, json: { file: resolve(file), bytes: (await stat(resolve(file))).size } }
}

export const restore: Command = async ({ args: [file = ''] }) => {
  await archive.restore(readConfigOrExit(), resolve(file), say)

  return { text: `Restored from ${file}`, json: { file: resolve(file) } }
}

function say(line: string) {
  process.stderr.write(`${line}\n`)
}
