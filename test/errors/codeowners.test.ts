import t from 'tap'
import { readCodeowners, toMatcher } from '#errors/ownership/codeowners.ts'
import { anEventId, openProject } from '../support/factories.ts'
import { importCommits } from '../support/repositories.ts'

const github = `# Lines are comments
*                @root # default
/src/billing/    @acme/billing ann@example.com
docs/*.md        @ann
/my\\ shop/\\#1/  @ann
**/logs          @ann
!src/x.ts        @ann
src/[ab].ts      @ann
apps/github
`
const gitlab = `[Backend][2] @team @root
lib/
lib/special.rb @ann

^[Optional Docs]
docs/ @docs
README.md
[Frontend]
*.vue @root`

t.test('files of GitHub and GitLab, with sections', async t => {
  const read = (text: string) => readCodeowners(text).entries.map(({ line, pattern, owners }) => [line, toMatcher(pattern), ...owners])

  t.same(read(github), [
    [2, 'path:*', '@root'],
    [3, 'path:src/billing/*', '@acme/billing', 'ann@example.com'],
    [4, 'path:docs/*.md', '@ann'],
    [5, '"path:my shop/#1/*"', '@ann'],
    [6, 'path:logs', '@ann']
  ])
  t.same(readCodeowners(github).problems, [
    { line: 7, text: '!src/x.ts is an exclusion, which rules do not have. Give its files to their owners in a later line' },
    { line: 8, text: 'src/[ab].ts has characters that rules do not support. Use * and ?' },
    { line: 9, text: 'apps/github has no owner: rules above it still apply' }
  ])
  t.same(read(gitlab.replaceAll('\n', '\r\n')), [
    [2, 'path:lib/*', '@team', '@root'],
    [3, 'path:lib/special.rb', '@ann'],
    [6, 'path:docs/*', '@docs'],
    [9, 'path:*.vue', '@root']
  ])
  t.same(
    readCodeowners(gitlab).problems.map(({ line }) => line),
    [7],
    'the section before gives it no owner'
  )
  t.same(toMatcher('/**'), 'path:*')
  t.same(toMatcher('/'), 'path:*')
})

t.test('an import replaces that before, keeps rules written here, and says what it did not take', async t => {
  const { call, path, project, platform } = await openProject(t)
  const { body: group } = await call('POST', '/groups', { name: 'Billing', path: `billing-${anEventId().slice(0, 8)}` })
  const take = (body: object) => call('POST', `${path}/ownership/codeowners`, body)

  await call('POST', `/projects/${project.id}/share`, { group_id: group.id, group_access: 30 })
  await call('PUT', `${path}/ownership`, { rules: 'path:mine @root', auto_assign: false })
  const { status, body } = await take({ content: `/src/ @root @ghost\n/pay/ @${group.path}\n/lib/ @ghost\n/doc/ @@maintainer\n!a @root` })

  t.equal(status, 201)
  t.same(body, {
    rules: `# From CODEOWNERS. The next import replaces these lines.\npath:src/* @root\npath:pay/* @${group.path}\n# End of CODEOWNERS\npath:mine @root`,
    auto_assign: false,
    imported: 2,
    skipped: [
      { line: 1, text: '@ghost is no member of this project. Add the person, or correct the name' },
      { line: 3, text: '@ghost is no member of this project. Add the person, or correct the name' },
      { line: 4, text: '@@maintainer is no member of this project. Add the person, or correct the name' },
      { line: 5, text: '!a is an exclusion, which rules do not have. Give its files to their owners in a later line' }
    ]
  })
  t.equal((await take({})).status, 404)

  const author = { name: 'Ann', email: 'ann@example.com' }

  await importCommits(platform, project.id, [
    { author, message: 'Add', files: { 'docs/CODEOWNERS': '* @ghost\n', '.github/CODEOWNERS': '*.ts @root\n', 'CODEOWNERS/x': 'no file' } }
  ])
  const again = await take({})

  t.equal(
    again.body.rules,
    '# From CODEOWNERS. The next import replaces these lines.\npath:*.ts @root\n# End of CODEOWNERS\npath:mine @root'
  )
  t.same(again.body.skipped, [])
  t.match((await take({ content: `${'a'.repeat(251)} @root` })).body.skipped[0].text, /is longer than 250 characters/)
  t.equal((await take({ content: '* @ghost' })).body.rules, 'path:mine @root')
  t.equal((await take({ content: '* @root\n'.repeat(1000) })).status, 400)
})
