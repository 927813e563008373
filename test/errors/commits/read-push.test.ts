import t from 'tap'
import { fixedErrors } from '#errors/commits/fixed-errors.ts'
import { readPush } from '#errors/commits/read-push.ts'

t.test('a message names the errors of the project that the commit fixes', async t => {
  for (const [message, ids] of [
    ['Fixes SHOP-12', [12]],
    ['Charge once\n\nFixes: shop-12, SHOP-13 and SHOP-14.', [12, 13, 14]],
    ['Resolve SHOP-1 (closes SHOP-2)', [1]],
    ['closed SHOP-2!', [2]],
    ['Fixes SHOP-12 for good; see SHOP-13', [12]],
    ['See SHOP-12', []],
    ['Fixes #12, other-3, SHOPS-4, SHOP-x', []],
    ['prefixes SHOP-12', []],
    [`Fixes ${Array.from({ length: 99 }, (_, n) => `SHOP-${n + 1}`).join(', ')}`, Array.from({ length: 50 }, (_, n) => n + 1)],
    ['', []]
  ] as const)
    t.same(fixedErrors(message, 'Shop'), ids, message.slice(0, 60))
})

const sha = 'a'.repeat(40)

t.test('pushes of GitHub, GitLab and Gitea are read; what they lack is empty', async t => {
  const commit = {
    id: sha.toUpperCase(),
    message: 'Round prices',
    timestamp: '2026-11-20T10:00:00+01:00',
    author: { name: 'Ann', email: 'ann@example.com', username: 'ann' },
    added: ['src/a.ts'],
    modified: ['src/b.ts', 7],
    removed: null
  }
  const read = {
    sha,
    message: 'Round prices',
    committedAt: new Date('2026-11-20T09:00:00Z'),
    authorName: 'Ann',
    authorEmail: 'ann@example.com',
    paths: ['src/a.ts', 'src/b.ts']
  }

  t.same(readPush({ ref: 'refs/heads/feature/x', repository: { full_name: 'acme/shop' }, commits: [commit] }), {
    repository: 'acme/shop',
    branch: 'feature/x',
    commits: [read]
  })
  t.hasStrict(
    readPush({ ref: 'refs/heads/main', project: { path_with_namespace: 'acme/web' }, repository: { name: 'Web' }, commits: [] }),
    {
      repository: 'acme/web'
    }
  )
  t.same(readPush({ ref: 'refs/heads/main', commits: [{ id: sha }, { id: 'main' }, 'x', null] }), {
    repository: '',
    branch: 'main',
    commits: [{ ...read, message: '', committedAt: null, authorName: '', authorEmail: '', paths: [] }]
  })
  for (const other of [{}, { ref: 'refs/tags/v1', commits: [] }, { ref: 'refs/heads/main' }, { zen: 'Keep it logically awesome.' }])
    t.equal(readPush(other), undefined)
})
