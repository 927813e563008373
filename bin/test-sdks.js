import { join } from 'node:path'
import { install, node, root } from './install.js'
import { runToEnd } from './reaper.js'
import { sdkEnvironment } from './testing/environment.js'

const help = `Usage: npm run test:sdks [-- language …]

Starts a Tocsin and sends errors to it with the latest official SDK of each language, and with the
legacy clients of the store endpoint: an exception with its cause, a message and a session, twice.
Each SDK is installed by its package manager into a temporary folder. Then checks through the REST
API that each was stored once, in one group, with stack, user, tags, release and breadcrumbs.

Languages: node python go java rust ruby php (default: all)

A language whose runtime or package registry is not available is skipped, with the reason; if it was
given as an argument, that is a failure.
`

const args = process.argv.slice(2)

if (args.includes('--help') || args.includes('-h')) {
  console.log(help)
  process.exit(0)
}

install({ tools: true })
process.exit(await runToEnd(node, [join(root, 'test', 'sdks', 'run.ts'), ...args], { cwd: root, env: sdkEnvironment() }))
