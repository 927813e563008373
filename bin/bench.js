import { join } from 'node:path'
import { environment, install, node, root } from './install.js'
import { runToEnd } from './reaper.js'

const [name = 'main', ...args] = process.argv.slice(2)
const isScript = !name.startsWith('-')
const script = join(root, 'bench', `${isScript ? name : 'main'}.ts`)

install({ tools: true })
process.exit(await runToEnd(node, [script, ...(isScript ? args : [name, ...args])], { cwd: root, env: environment() }))
