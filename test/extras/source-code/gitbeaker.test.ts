import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { openCodeProject } from '../../git-http/code.ts'
import { hasExactly } from '../../support/has-exactly.ts'
import { listen } from '../../support/listen.ts'
import { rootToken } from '../../support/world.ts'

t.test('a client made for GitLab reads and writes code unchanged', async t => {
  const { app, config, project } = await openCodeProject(t)
  const host = await listen(app)

  config.baseUrl = host
  const { Branches, Tags, Commits, Repositories, RepositoryFiles } = new Gitlab({ host, token: rootToken })
  const { id } = project
  const commit = await Commits.create(id, 'main', 'First', [
    { action: 'create', filePath: 'docs/a b.md', content: '# A\n' },
    { action: 'create', filePath: 'b.txt', content: 'b\n' }
  ])
  t.equal(commit.title, 'First')
  t.hasStrict(await RepositoryFiles.create(id, 'src/c.ts', 'main', 'c\n', 'Second'), { file_path: 'src/c.ts', branch: 'main' })
  t.hasStrict(await RepositoryFiles.edit(id, 'src/c.ts', 'main', Buffer.from('cc\n').toString('base64'), 'Third', { encoding: 'base64' }), {
    branch: 'main'
  })
  t.hasStrict(await RepositoryFiles.show(id, 'src/c.ts', 'main'), { size: 3, encoding: 'base64' })
  t.equal(await RepositoryFiles.showRaw(id, 'src/c.ts', 'main'), 'cc\n')
  t.same(
    (await RepositoryFiles.allFileBlames(id, 'src/c.ts', 'main')).map(({ lines }) => lines),
    [['cc']]
  )
  t.hasStrict(await Branches.create(id, 'feature/x', 'main'), { name: 'feature/x' })
  t.hasStrict(await Branches.show(id, 'feature/x'), { default: false })
  hasExactly(t, await Branches.all(id, { search: 'feature' }), [{ name: 'feature/x' }])
  t.hasStrict(await Tags.create(id, 'v1', 'main', { message: 'One' }), { name: 'v1', message: 'One' })
  t.hasStrict(await Tags.show(id, 'v1'), { name: 'v1' })
  hasExactly(t, await Tags.all(id), [{ name: 'v1' }])

  hasExactly(t, await Commits.all(id, { refName: 'main', perPage: 1, withStats: true }), [
    { title: 'Third' },
    { title: 'Second' },
    { title: 'First' }
  ])
  t.hasStrict(await Commits.show(id, commit.id), { id: commit.id })
  t.equal((await Commits.showDiff(id, commit.id)).length, 2)
  t.equal((await Commits.allReferences(id, commit.id, { type: 'all' })).length, 3)

  const tree = await Repositories.allRepositoryTrees(id, { recursive: true, perPage: 2 })
  t.same(
    tree.map(({ path }) => path),
    ['b.txt', 'docs', 'docs/a b.md', 'src', 'src/c.ts']
  )
  const blob = tree.find(({ path }) => path === 'b.txt')!
  t.hasStrict(await Repositories.showBlob(id, blob.id), { size: 2 })
  t.equal(await Repositories.showBlobRaw(id, blob.id), 'b\n')
  hasExactly(t, await Repositories.compare(id, commit.id, 'main'), { commits: [{ title: 'Second' }, { title: 'Third' }] })
  t.equal((await Repositories.mergeBase(id, ['main', 'feature/x'])).title, 'Third')
  t.ok((await Repositories.showArchive(id, { fileType: 'zip' })).size > 100)
  t.ok((await Repositories.showArchive(id)).size > 100)

  await RepositoryFiles.remove(id, 'src/c.ts', 'main', 'Gone')
  await t.rejects(RepositoryFiles.show(id, 'src/c.ts', 'main'), { message: '404 File Not Found' })
  await Tags.remove(id, 'v1')
  await Branches.removeMerged(id)
  t.same(
    (await Branches.all(id)).map(({ name }) => name),
    ['main']
  )
})
