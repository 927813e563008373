import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Asset {
  /** The URL contains a hash of the content, so it can be cached forever. */
  path: string
  type: string
  text: string
}

/** In cascade order. */
const styles = [
  'tokens',
  'base',
  'frame',
  'forms',
  'tables',
  'pieces',
  'badges',
  'charts',
  'projects',
  'home',
  'errors',
  'alert',
  'connect',
  'mapping',
  'lists',
  'incidents',
  'health',
  'help',
  'media',
  'notifications',
  'members',
  'code',
  'ci',
  'webhooks'
]
const styleText = styles.map(name => read('styles', `${name}.css`)).join('\n')

export const stylesheet: Asset = { path: `/-/style-${hashOf(styleText)}.css`, type: 'text/css; charset=utf-8', text: styleText }

const scriptNames = readdirSync(join(import.meta.dirname, '..', 'scripts')).filter(name => name.endsWith('.js'))
const scriptTexts = scriptNames.map(name => read('scripts', name))
const scriptFolder = `/-/scripts-${hashOf(scriptTexts.join('\n'))}`

/** ES modules, which import each other from one folder. */
export const scripts: Asset[] = scriptNames.map((name, n) => ({
  path: `${scriptFolder}/${name}`,
  type: 'text/javascript; charset=utf-8',
  text: scriptTexts[n]!
}))
export const mainScriptPath = `${scriptFolder}/main.js`

const iconText = read('styles', 'icon.svg')

export const icon: Asset = { path: `/-/icon-${hashOf(iconText)}.svg`, type: 'image/svg+xml', text: iconText }

function read(folder: string, name: string) {
  return readFileSync(join(import.meta.dirname, '..', folder, name), 'utf8')
}

function hashOf(text: string) {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
