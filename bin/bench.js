import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { environment, install, node, root } from './install.js'

const [name = 'main', ...args] = process.argv.slice(2)
const isScript = !name.startsWith('-')

install({ tools: true })

const { status } = spawnSync(node, [join(root, 'bench', `${isScript ? name : 'main'}.ts`), ...(isScript ? args : [name, ...args])], {
  cwd: root,
  env: environment(),
  stdio: 'inherit'
})

process.exit(status ?? 1)
