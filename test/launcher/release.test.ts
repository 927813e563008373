import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { root } from './launcher.ts'

const changelog = `# Changelog

## [0.1.0] - Unreleased

### Added

- Alerts.
`

/** A repository of the test's own with the release script, in which \`npm run check\` is \`check\`. */
function openRepository(t: Test, { check = 'true' } = {}) {
  const dir = t.testdir({
    'CHANGELOG.md': changelog,
    'package.json': JSON.stringify({ name: 'tocsin', version: '0.1.0', type: 'module', scripts: { check } }, null, 2),
    'package-lock.json': JSON.stringify({
      name: 'tocsin',
      version: '0.1.0',
      packages: { '': { version: '0.1.0' }, a: { version: '0.1.0' } }
    })
  })
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: dir,
      encoding: 'utf8'
    })

    t.equal(status, 0, `git ${args.join(' ')}: ${stderr}`)

    return stdout.trim()
  }

  cpSync(join(root, 'bin'), join(dir, 'bin'), { recursive: true })
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@example.com')
  git('add', '.')
  git('commit', '--quiet', '--message', 'First')

  return {
    git,
    read: (name: string) => readFileSync(join(dir, name), 'utf8'),
    write: (name: string, text: string) => writeFileSync(join(dir, name), text),
    release: (...args: string[]) => spawnSync(process.execPath, ['bin/release.js', ...args], { cwd: dir, encoding: 'utf8' })
  }
}

t.test('a release dates the changelog, sets the version, commits and tags', async t => {
  const { git, read, release } = openRepository(t)
  const { status, stdout } = release('0.1.0')
  const today = new Date().toISOString().slice(0, 10)

  t.equal(status, 0)
  t.match(stdout, 'Released 0.1.0.')
  t.equal(read('CHANGELOG.md'), changelog.replace('## [0.1.0] - Unreleased', `## [Unreleased]\n\n## [0.1.0] - ${today}`))
  t.equal(git('status', '--porcelain'), '')
  t.equal(git('log', '-1', '--format=%s'), 'Version 0.1.0')
  t.equal(git('rev-parse', 'v0.1.0^{commit}'), git('rev-parse', 'HEAD'))
})

t.test('the next release takes the entries that were added since', async t => {
  const { git, read, write, release } = openRepository(t)

  t.equal(release('0.1.0').status, 0)
  t.hasStrict(release('0.2.0'), { status: 1, stderr: 'CHANGELOG.md has no entries under Unreleased.\n' })
  write('CHANGELOG.md', read('CHANGELOG.md').replace('## [Unreleased]\n', '## [Unreleased]\n\n- Errors.\n'))
  git('commit', '--quiet', '--all', '--message', 'Errors')

  t.equal(release('0.2.0').status, 0)
  t.match(read('CHANGELOG.md'), /^## \[Unreleased\]\n\n## \[0\.2\.0\] - [\d-]+\n\n- Errors\.\n\n## \[0\.1\.0\]/m)
  t.equal(JSON.parse(read('package.json')).version, '0.2.0')
  t.same(JSON.parse(read('package-lock.json')), {
    name: 'tocsin',
    version: '0.2.0',
    packages: { '': { version: '0.2.0' }, a: { version: '0.1.0' } }
  })
})

t.test('a dry run changes nothing', async t => {
  const { git, release } = openRepository(t)
  const { status, stdout } = release('0.1.0', '--dry-run')

  t.equal(status, 0)
  t.match(stdout, '0.1.0 can be released.')
  t.equal(git('status', '--porcelain'), '')
  t.equal(git('tag'), '')
  t.equal(git('log', '--format=%s'), 'First')
})

t.test('a release is refused with the reason, and changes nothing', async t => {
  const { git, write, release } = openRepository(t)
  const refused = (reason: string, ...args: string[]) => {
    const { status, stderr } = release(...args)

    t.equal(status, 1)
    t.equal(stderr.trim(), reason)
  }

  refused('"1.0" is not a version: expected X.Y.Z.', '1.0')
  write('new.txt', '')
  refused('The working tree has uncommitted changes.', '1.0.0')
  git('stash', '--include-untracked', '--quiet')
  git('checkout', '--quiet', '-b', 'other')
  refused('Releases are made from main, not from other.', '1.0.0')
  git('checkout', '--quiet', 'main')
  git('tag', 'v1.0.0')
  refused('The tag v1.0.0 exists.', '1.0.0')
  t.equal(git('log', 'main', '--format=%s'), 'First')
})

t.test('a release is refused while the checks fail', async t => {
  const { git, release } = openRepository(t, { check: 'false' })

  const { status, stderr } = release('0.1.0')
  t.equal(status, 1)
  t.match(stderr, /^`npm run check` failed; see its output above\.$/m)
  t.equal(git('tag'), '')
})
