import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** In cascade order. */
const parts = ['tokens', 'base', 'frame', 'forms', 'tables', 'pieces', 'projects', 'help']

export const stylesheet = parts.map(part => readFileSync(join(import.meta.dirname, '..', 'styles', `${part}.css`), 'utf8')).join('\n')

/** The URL contains a hash of the content, so it can be cached forever. */
export const stylesheetPath = `/-/style-${createHash('sha256').update(stylesheet).digest('hex').slice(0, 12)}.css`
