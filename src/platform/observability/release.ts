import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The release that this process runs. */
export const release: string = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')).version
