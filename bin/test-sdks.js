import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { environment, install, node, root } from './install.js'

const help = `Usage: npm run test:sdks [-- language …]

Starts a Tocsin of its own and sends errors to it with the newest official SDK of each language,
installed by that language's package manager into a folder that goes away afterwards: an exception
with its cause, a message and a session, twice. Then looks through the REST API whether each has
arrived once, in one group, with its stack, user, tags, release and breadcrumbs. The legacy clients
that still post to the store endpoint take part too.

Languages: node python go java rust ruby php (all, unless some are named)

A language whose runtime or package registry is not at hand is skipped, with the reason. Named
ones must not be: then that is a failure, as is whatever did not arrive as expected.
`

const args = process.argv.slice(2)

if (args.includes('--help') || args.includes('-h')) {
  console.log(help)
  process.exit(0)
}

install({ tools: true })

const { status } = spawnSync(node, [join(root, 'test', 'sdks', 'run.ts'), ...args], { cwd: root, env: environment(), stdio: 'inherit' })

process.exit(status ?? 1)
