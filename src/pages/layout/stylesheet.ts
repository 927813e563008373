import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** In the order of the cascade. */
const parts = ['tokens', 'base', 'frame', 'forms', 'tables', 'pieces', 'projects', 'help']

export const stylesheet = parts.map(part => readFileSync(join(import.meta.dirname, '..', 'styles', `${part}.css`), 'utf8')).join('\n')

/** Its address changes with it, so that it can be kept for as long as anybody likes. */
export const stylesheetPath = `/-/style-${createHash('sha256').update(stylesheet).digest('hex').slice(0, 12)}.css`
