import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { sentryClient } from '../errors/sentry-api/client.ts'
import { anEnvelope, openProject } from '../support/factories.ts'
import { type Commit, importCommits, openDirectory } from '../support/repositories.ts'
import type { WorldOptions } from '../support/world.ts'
import { Visitor } from './visitor.ts'

const ann = { name: 'Ann Miller', email: 'ann@example.com' }
const ben = { name: 'Ben &amp; "Ortiz"', email: 'ben@example.com' }
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000 - 60_000)
const price = 'export function price(cart) {\n  return Math.floor(cart.sum)\n}\n'

const history: Commit[] = [
  {
    author: ben,
    message: 'Add <i>prices</i>',
    files: { 'src/price.ts': price.replace('floor', 'round'), 'src/app.ts': 'price()\n' },
    at: daysAgo(9)
  },
  { author: ann, message: 'Round prices down\n\nAs the shop asks.', files: { 'src/price.ts': price }, tags: ['v1.0.0'], at: daysAgo(3) },
  { author: ben, message: 'Begin anew', files: { 'src/price.ts': `// Prices\n\n${price}` }, at: daysAgo(1) }
]

interface Place {
  filename?: string
  abs_path?: string
  module?: string
  lineno?: number
  in_app?: boolean
}

/** A shop whose history has two authors, and the page of an event with the given frames, the innermost first. */
async function openShop(t: Test, { commits = history, ...options }: WorldOptions & { commits?: Commit[] } = {}) {
  const world = await openProject(t, options)
  const shas = await importCommits(world.platform, world.project.id, commits)
  const visitor = new Visitor(world.app)
  let sent = 0

  await visitor.signIn()

  /** The URL of the error of an event that was stored. */
  async function errorOf(frames: Place[], release?: string) {
    const type = `Error${sent++}`
    const stacktrace = { frames: frames.toReversed().map(frame => ({ function: type, in_app: true, ...frame })) }

    await world.send(anEnvelope({ platform: 'node', release, exception: { values: [{ type, value: 'x', stacktrace }] } }))
    const errors = await world.untilStored(sent)
    const { fingerprint } = errors.find(({ name }: { name: string }) => name === type)

    return `/projects/${world.project.id}/errors/${fingerprint}`
  }

  return {
    ...world,
    shas: shas as [string, string, string],
    visitor,
    errorOf,
    page: async (frames: Place[], release?: string) => (await visitor.get(await errorOf(frames, release))).body,
    blob: (sha: string, path: string) => `/projects/${world.project.id}/code/blob/${sha}/${path}`,
    setLink: (source_link: string | null) => world.call('PATCH', `${world.path}/settings`, { active: true, source_link })
  }
}

const text = (body: string) => body.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')
const linksIn = (body: string) =>
  [...body.matchAll(/<span class="place">(?:<a href="([^"]+)")?/g)].map(([, url]) => url?.replaceAll('&#38;', '&'))

t.test('a frame leads to its file at the commit of the release, and names who changed the line last', async t => {
  const { page, blob, shas, project, visitor } = await openShop(t)
  const body = await page(
    [
      { filename: '/app/src/price.ts', lineno: 2 },
      { filename: 'src/app.ts', lineno: 1 }
    ],
    'shop@1.0.0'
  )

  t.same(linksIn(body), [`${blob(shas[1], 'src/price.ts')}#L2`, `${blob(shas[1], 'src/app.ts')}#L1`])
  t.match(text(body), `Suspect: Ann Miller, 3 days ago: “Round prices down” (${shas[1].slice(0, 8)}) in src/price.ts:2`)
  t.match(text(body), `Last changed by Ann Miller, 3 days ago: “Round prices down” (${shas[1].slice(0, 8)})`)
  t.match(text(body), 'Last changed by Ben &#38;amp; &#34;Ortiz&#34;, 9 days ago: “Add &#60;i&#62;prices&#60;/i&#62;”')
  t.notMatch(body, /<i>prices|is not known/)
  t.match(body, `<a href="/projects/${project.id}/code/commit/${shas[1]}">`)
  const [, line] = /<span id="L2">([\s\S]+?)\n/.exec((await visitor.get(linksIn(body)[0]!)).body)!
  t.equal(line!.replaceAll(/<[^>]+>/g, ''), '  return Math.floor(cart.sum)', 'the page has that line')
})

t.test(
  'the commit of a release is the one that sentry-cli names, its version, or its tag; else it is said to be that of the branch',
  async t => {
    const { page, blob, shas, app, project, platform } = await openShop(t)
    const ask = sentryClient(app)
    const frame = [{ filename: 'src/price.ts', lineno: 1 }]
    const linkOf = async (release?: string) => linksIn(await page(frame, release))[0]
    const at = (sha: string) => `${blob(sha, 'src/price.ts')}#L1`
    const slug = project.path
    const name = async (version: string, fields: object) =>
      t.equal((await ask('POST', `organizations/root/releases/`, { version, projects: [slug], ...fields })).status, 201)

    await name('by-refs', {
      refs: [
        { repository: 'acme/other', commit: shas[2], previousCommit: null },
        { repository: `root/${slug}`, commit: shas[0] }
      ]
    })
    await name('by-commits', { commits: [{ id: shas[1], repository: null, message: 'x', patch_set: [] }, { id: shas[0] }] })
    await name('by-ref', { ref: shas[0] })
    await importCommits(platform, project.id, [{ author: ann, message: 'Aside', files: { 'src/price.ts': '\n' } }], 'deadbeef')
    await name('by-branch', { refs: [{ repository: 'shop', commit: 'main' }] })
    await ask('PUT', 'organizations/root/releases/by-ref/', { dateReleased: new Date().toISOString() })
    await ask('PUT', 'organizations/root/releases/by-refs/', { refs: [{ repository: 'else', commit: shas[1].slice(0, 9) }] })

    for (const [release, sha] of [
      ['by-refs', shas[1]],
      ['by-commits', shas[1]],
      ['by-ref', shas[0]],
      [shas[0], shas[0]],
      [`shop@${shas[1].slice(0, 7)}`, shas[1]],
      [`shop@2.0.0+${shas[0].slice(0, 12)}`, shas[0]],
      ['v1.0.0', shas[1]],
      ['1.0.0', shas[1]],
      ['shop@v1.0.0', shas[1]]
    ] as const)
      t.equal(await linkOf(release), at(sha), release)
    for (const release of [
      'by-branch',
      'shop@9.9.9',
      `shop@${'a'.repeat(40)}`,
      'shop@2026112',
      'shop@deadbeef',
      '../../main',
      ' --all',
      undefined
    ]) {
      const body = await page(frame, release)

      t.equal(linksIn(body)[0], at(shas[2]), `${release}`)
      t.match(text(body), 'Suspect on main: Ben', `${release}`)
      t.match(text(body), /(is not known here|The event has no release), so the code is that on main: lines may differ\./, `${release}`)
    }
  }
)

t.test('a file is found by any notation of its path, and by no other', async t => {
  const files = Object.fromEntries(
    [
      'index.ts',
      'src/price.ts',
      'web/src/cart.ts',
      'api/src/cart.ts',
      'web/util.ts',
      'api/util.ts',
      'lib/main.py',
      'shop/tax.py',
      'src/main/java/com/example/Order.java',
      'kotlin/shop/Order.kt',
      'vendor/acme/lock.php',
      'a b/ü#1?.ts',
      'win/Basket.cs'
    ].map(path => [path, 'one\ntwo\n'])
  )
  const { page, blob, shas } = await openShop(t, { commits: [{ author: ann, message: 'All', files }] })
  const cases: [Place, string | undefined][] = [
    [{ filename: 'app:///src/price.ts' }, 'src/price.ts'],
    [{ filename: 'webpack:///./src/price.ts?a1b2' }, 'src/price.ts'],
    [{ filename: 'webpack://shop/./src/price.ts' }, 'src/price.ts'],
    [{ filename: 'webpack-internal:///(rsc)/./src/price.ts' }, 'src/price.ts'],
    [{ filename: '~/src/price.ts' }, 'src/price.ts'],
    [{ filename: '../../src/price.ts' }, 'src/price.ts'],
    [{ filename: 'https://shop.example/src/price.ts#x' }, 'src/price.ts'],
    [{ filename: 'file:///usr/src/app/src/price.ts' }, 'src/price.ts'],
    [{ filename: '/srv/releases/42/src/price.ts' }, 'src/price.ts'],
    [{ filename: 'cart.ts', abs_path: '/build/7/web/src/cart.ts' }, 'web/src/cart.ts'],
    [{ filename: '/build/7/mobile/src/cart.ts' }, undefined],
    [{ filename: 'src/cart.ts' }, undefined],
    [{ filename: 'util.ts' }, undefined],
    [{ filename: 'src/gone/price.ts' }, undefined],
    [{ filename: 'src/pric.ts' }, undefined],
    [{ filename: 'ice.ts' }, undefined],
    [{ filename: 'packages/x/index.ts' }, undefined],
    [{ filename: '/app/index.ts' }, 'index.ts'],
    [{ filename: 'main.py', abs_path: '/usr/src/app/main.py' }, 'lib/main.py'],
    [{ filename: 'tax.py', module: 'shop.tax' }, 'shop/tax.py'],
    [{ module: 'shop.tax' }, 'shop/tax.py'],
    [{ filename: 'shop/tax.py', abs_path: '/usr/lib/python3/site-packages/shop/tax.py' }, undefined],
    [{ filename: 'Order.java', module: 'com.example.Order$Line' }, 'src/main/java/com/example/Order.java'],
    [{ filename: 'Order.java', module: 'org.other.Order' }, undefined],
    [{ filename: 'Order.kt', module: 'com.example.shop.OrderKt' }, 'kotlin/shop/Order.kt'],
    [{ filename: '/app/vendor/acme/lock.php' }, 'vendor/acme/lock.php'],
    [{ filename: '/app/node_modules/acme/src/price.ts' }, undefined],
    [{ filename: 'C:\\agent\\build\\win\\Basket.cs' }, 'win/Basket.cs'],
    [{ filename: 'win\\Basket.cs' }, 'win/Basket.cs'],
    [{ filename: '<anonymous>' }, undefined],
    [{ filename: 'node:internal/process' }, undefined],
    [{ filename: '/' }, undefined],
    [{ filename: '../..' }, undefined],
    [{ filename: '.git/config' }, undefined],
    [{ filename: '\ud800' }, undefined],
    [{ filename: '--output=/tmp/x' }, undefined]
  ]
  const body = await page(cases.map(([place]) => ({ ...place, lineno: 2 })))

  for (const [n, link] of linksIn(body).entries()) {
    const [place, path] = cases[n]!

    t.equal(link, path && `${blob(shas[0], path)}#L2`, JSON.stringify(place))
  }
  t.equal(linksIn(body).length, cases.length)
  const unmarked = { filename: 'src/price.ts', lineno: 2, in_app: false }
  t.same(linksIn(await page([unmarked])), [`${blob(shas[0], 'src/price.ts')}#L2`], 'an SDK that marks no frames has own code, too')
  t.same(linksIn(await page([{ filename: 'src/none.ts' }, unmarked])), [undefined, undefined], 'code of libraries is not looked up')
})

t.test('what a frame or a commit contains is shown as text, and no frame breaks the page', async t => {
  const path = `src/<img src=x onerror=alert(1)>"'&.ts`
  const commits = [
    {
      author: { name: '\'"&lt;script\u202e', email: '"onload="@example.com' },
      message: '"><svg onload=alert(1)>',
      files: { 'src/a.ts': 'x\n' }
    }
  ]
  const { page, blob, shas, setLink } = await openShop(t, { commits })
  const own = await page([{ filename: 'src/a.ts', lineno: 1 }])
  const strange = [0, -1, 1.5, 2, 2 ** 53, undefined].map(lineno => ({ filename: 'src/a.ts', lineno }))

  t.match(own, '&#39;&#34;&#38;lt;script[U+202E]', 'names have no angle brackets in git')
  t.match(own, '“&#34;&#62;&#60;svg onload=alert(1)&#62;”')
  t.equal(linksIn(await page([{ filename: 'src/a.ts' }]))[0], blob(shas[0], 'src/a.ts'), 'without a line')
  t.equal(linksIn(await page(strange)).length, strange.length)

  await setLink('https://git.example/{path}#{line}')
  for (const filename of [path, 'javascript:alert(1)', 'x" onclick="alert(1)', '//evil.example/x.ts', '\ud800.ts']) {
    const body = await page([{ filename, lineno: 1 }])

    t.notMatch(body, /<img src=x|<svg onload|onclick="/, filename)
    for (const link of linksIn(body)) if (link) t.match(link, /^https:\/\/git\.example\//, filename)
  }
})

t.test('a source link leads elsewhere, also for files that the repository does not have', async t => {
  const { page, setLink, shas } = await openShop(t)
  const frames = [
    { filename: '/app/src/price.ts', lineno: 2 },
    { filename: 'src/new file.ts', lineno: 7 }
  ]

  await setLink('https://github.com/acme/shop/blob/{commit}/{path}#L{line}')
  const body = await page([...frames, { filename: 'src/app.ts' }, { filename: 'node_modules/x/i.js', lineno: 1, in_app: false }], '1.0.0')
  const url = `https://github.com/acme/shop/blob/${shas[1]}`

  t.same(linksIn(body), [`${url}/src/price.ts#L2`, `${url}/src/new%20file.ts#L7`, `${url}/src/app.ts`, undefined])
  t.match(body, 'rel="noreferrer noopener nofollow">/app/src/price.ts:2</a>')
  t.match(text(body), 'Suspect: Ann Miller', 'the repository of the project still knows the authors')

  await setLink('https://git.example/{release}/{ref}/{path}')
  t.equal(linksIn(await page(frames, 'shop@1.0.0'))[0], 'https://git.example/shop%401.0.0/v1.0.0/src/price.ts')
  t.same(linksIn(await page(frames)), [undefined, undefined], 'an event without a release has no such address')

  await setLink('https://git.example/{commit}/{path}')
  const elsewhere = 'c0ffee'.repeat(7).slice(0, 40)
  t.equal(linksIn(await page(frames, `shop@${elsewhere}`))[0], `https://git.example/${elsewhere}/src/price.ts`)
  await setLink(null)
  t.match(linksIn(await page(frames, '1.0.0'))[0], /^\/projects\//)
})

t.test('a project without any code links to where its source link says, on its default branch', async t => {
  const { page, setLink } = await openShop(t, { commits: [] })
  const frames = [{ filename: 'src/price.ts', lineno: 2 }]

  t.same(linksIn(await page(frames)), [undefined])
  await setLink('https://codeberg.org/acme/shop/src/branch/{ref}/{path}#L{line}')
  const body = await page(frames, 'shop@1')
  t.same(linksIn(body), ['https://codeberg.org/acme/shop/src/branch/main/src/price.ts#L2'])
  t.match(text(body), 'The commit of the release shop@1 is not known here, so the code is that on main')
  t.notMatch(body, 'Suspect')
})

t.test('a source link is an address with known placeholders', async t => {
  const { setLink, visitor, project, call, path } = await openShop(t)
  const url = `/projects/${project.id}/error_settings`

  for (const [pattern, problem] of [
    ['javascript:alert(1)//{path}', 'must begin with https:// or http:// and a host, without spaces'],
    ['//git.example/{path}', 'must begin with'],
    ['https://{path}', 'must begin with'],
    ['https://{commit}.example/{path}', 'must begin with'],
    ['https://user@git.example/{path}', 'must begin with'],
    ['https://git.example\\@evil.example/{path}', 'must begin with'],
    ['https://git.example/a b/{path}', 'must begin with'],
    ['https://git.example/{sha}/{path}', 'has the unknown placeholder {sha}: use {commit}, {ref}, {release}, {path} and {line}'],
    ['https://git.example/{path}/{constructor}', 'has the unknown placeholder {constructor}'],
    ['https://git.example/{path}}', 'has a brace that is not part of a placeholder'],
    ['https://git.example/{commit}', 'must contain {path}'],
    ['https://git.example:99999/{path}', 'is not a valid address']
  ] as const) {
    const { status, body } = await setLink(pattern)

    t.equal(status, 400, pattern)
    t.match(body.message.source_link[0], new RegExp(`^${problem.replaceAll(/[{}()]/g, '\\$&')}`), pattern)
  }
  t.equal((await setLink(`https://git.example/{path}${'x'.repeat(500)}`)).status, 400)
  t.equal((await call('GET', `${path}/settings`)).body.source_link, null, 'nothing was stored')

  await visitor.get(url)
  const refused = await visitor.post(url, { active: 'true', source_link: 'ftp://x/{path}' })
  t.match(refused, { statusCode: 400, body: /value="ftp:\/\/x\/\{path\}"[\s\S]+id="source_link-error">[^<]*must begin with https:/i })
  const pattern = 'http://git.example:3000/{path}?at={ref}'
  t.equal((await visitor.post(url, { active: 'true', source_link: ` ${pattern} ` })).statusCode, 303)
  t.equal((await call('GET', `${path}/settings`)).body.source_link, pattern)
  t.match((await visitor.get(url)).body, `value="${pattern}"`)
  await visitor.post(url, { active: 'true', source_link: '' })
  t.equal((await call('GET', `${path}/settings`)).body.source_link, null)
})

t.test('the author is assigned in one step, if a member has confirmed the address of the commit', async t => {
  const { errorOf, visitor, call, project, path, platform } = await openShop(t)
  const url = await errorOf([{ filename: 'src/price.ts', lineno: 2 }], '1.0.0')
  const button = '>Assign to @ann</button>'
  const page = async () => (await visitor.get(url)).body
  const { body: user } = await call('POST', '/users', {
    username: 'ann',
    name: 'A',
    email: 'ann@home.example',
    password: 'a long password'
  })

  t.notOk((await page()).includes(button), 'it is nobody’s')
  await platform.pool.query('INSERT INTO user_emails (user_id, email, created_at) VALUES ($1, $2, now())', [user.id, 'Ann@Example.com'])
  await call('POST', `/projects/${project.id}/members`, { user_id: user.id, access_level: 30 })
  t.notOk((await page()).includes(button), 'the address is not confirmed')
  await platform.pool.query('UPDATE user_emails SET confirmed_at = now()')
  await call('DELETE', `/projects/${project.id}/members/${user.id}`)
  t.notOk((await page()).includes(button), 'a stranger cannot be assigned')
  await call('POST', `/projects/${project.id}/members`, { user_id: user.id, access_level: 30 })
  t.ok((await page()).includes(button))
  await visitor.post(`${url}/assignee`, { assignee_id: String(user.id) })
  t.equal((await call('GET', `${path}/errors`)).body[0].assignee_id, user.id)
  t.notOk((await page()).includes(button), 'twice is not offered')
})

t.test('without the extra for code, frames are no links, and authors are still named', async t => {
  const { page } = await openShop(t, { env: { EXTRAS: 'none' }, isPrivate: true })
  const body = await page([{ filename: 'src/price.ts', lineno: 2 }], '1.0.0')

  t.same(linksIn(body), [undefined])
  t.match(text(body), 'Suspect: Ann Miller, 3 days ago: “Round prices down” (')
})

t.test('the page is shown without authors when git takes too long, and without code when it fails', async t => {
  const directory = await openDirectory(t)
  const git = join(directory, 'git')
  const { page, platform, project, blob, shas } = await openShop(t, {
    env: { PATH: `${directory}:/usr/bin:/bin` },
    isPrivate: true
  })
  const frames = [{ filename: 'src/price.ts', lineno: 2 }]
  const replaceGit = async (script: string) => {
    await writeFile(git, `#!/bin/sh\n${script}\n`)
    await chmod(git, 0o700)
  }

  await replaceGit('case "$*" in *blame*) exec sleep 60;; esac\nexec /usr/bin/git "$@"')
  const late = await page(frames, '1.0.0')
  t.equal(linksIn(late)[0], `${blob(shas[1], 'src/price.ts')}#L2`)
  t.notMatch(late, 'Suspect')
  await replaceGit('case "$*" in *ls-tree*) exec sleep 60;; esac\nexec /usr/bin/git "$@"')
  t.same(linksIn(await page(frames, shas[0])), [undefined], 'the files of another commit are not known')
  await replaceGit('exit 1')
  t.same(linksIn(await page(frames, '1.0.0')), [undefined])
  await platform.pool.query("UPDATE repositories SET path = 'no/where.git' WHERE project_id = $1", [project.id])
  t.same(linksIn(await page(frames, '1.0.0')), [undefined], 'the repository is missing from its storage')
})

t.test('of the many files of a large repository, none is looked up', async t => {
  const directory = `${'long/'.repeat(45)}directory`
  const files = Object.fromEntries(Array.from({ length: 36_000 }, (_, n) => [`${directory}/${n}.ts`, '']))
  const { page, setLink } = await openShop(t, { commits: [{ author: ann, message: 'All', files }] })
  const frames = [{ filename: `${directory}/7.ts`, lineno: 1 }]

  t.same(linksIn(await page(frames)), [undefined])
  await setLink('https://git.example/{path}')
  t.same(linksIn(await page(frames)), [`https://git.example/${directory}/7.ts`])
})
