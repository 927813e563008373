import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from './settings.ts'

/** Adds a sentence to `problems` for each setting that is missing beside another. */
export function checkNeeded({ DATABASE_URL, SECRET_KEY, DATA_DIR }: Settings, problems: string[]) {
  if (DATABASE_URL && !SECRET_KEY)
    problems.push(`SECRET_KEY is needed together with DATABASE_URL, the same for all processes. ${keyFor(DATA_DIR)}`)
}

/** An installation may have made a key before it got a database of its own. */
function keyFor(dataDir: string) {
  const file = join(dataDir, 'secret.key')

  return existsSync(file) ? `This installation has one: SECRET_KEY=$(cat ${file})` : 'Make one: openssl rand -base64 32'
}
