import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.js'

const help = `Usage: npm run release -- X.Y.Z [--dry-run]

Releases the version from a clean main branch: runs \`npm run check\`, moves the changelog's Unreleased
entries under the version and today's date, sets the version in package.json and package-lock.json,
commits, and tags the commit vX.Y.Z. Pushing is left to you. With --dry-run, changes nothing.
`

const args = process.argv.slice(2)
const version = args.find(arg => !arg.startsWith('-'))

if (args.includes('--help') || !version) {
  console.log(help)
  process.exit(args.includes('--help') ? 0 : 1)
}

try {
  release()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

function release() {
  checkRepository()
  const changed = {
    'CHANGELOG.md': datedChangelog(),
    'package.json': versioned('package.json'),
    'package-lock.json': versioned('package-lock.json')
  }

  if (run('npm', ['run', 'check'], { stdio: 'inherit' }).status !== 0) throw new Error('`npm run check` failed; see its output above.')
  if (args.includes('--dry-run')) return console.log(`${version} can be released.`)

  for (const [name, text] of Object.entries(changed)) writeFileSync(join(root, name), text)
  git('add', ...Object.keys(changed))
  git('commit', '--quiet', '--message', `Version ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`)
  console.log(`Released ${version}. Publish it with: git push origin main v${version}`)
}

function checkRepository() {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`"${version}" is not a version: expected X.Y.Z.`)
  if (git('tag', '--list', `v${version}`)) throw new Error(`The tag v${version} exists.`)
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD')

  if (branch !== 'main') throw new Error(`Releases are made from main, not from ${branch}.`)
  if (git('status', '--porcelain')) throw new Error('The working tree has uncommitted changes.')
}

/** The changelog with the Unreleased entries under the version, and an empty Unreleased section above. */
function datedChangelog() {
  const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const [heading] = /^## \[(Unreleased\]|[\d.]+\] - Unreleased)$/m.exec(text) ?? []
  const entries = heading && text.split(`${heading}\n`)[1].split(/^## /m)[0].trim()

  if (!entries) throw new Error('CHANGELOG.md has no entries under Unreleased.')

  return text.replace(heading, `## [Unreleased]\n\n## [${version}] - ${new Date().toISOString().slice(0, 10)}`)
}

/** The file with the version, which the lockfile holds twice. */
function versioned(name) {
  const json = JSON.parse(readFileSync(join(root, name), 'utf8'))

  for (const holder of [json, json.packages?.['']]) if (holder) holder.version = version

  return `${JSON.stringify(json, null, 2)}\n`
}

function git(...args) {
  const { status, stdout, stderr } = run('git', args)

  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr.trim()}`)

  return stdout.trim()
}

function run(program, args, options) {
  return spawnSync(program, args, { cwd: root, encoding: 'utf8', ...options })
}
