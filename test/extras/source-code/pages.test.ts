import t from 'tap'
import { aPerson } from '../../identity/people.ts'
import { Visitor } from '../../pages/visitor.ts'
import { openApp } from '../../support/world.ts'

async function openRepository(t: Parameters<typeof openApp>[0]) {
  const world = await openApp(t)
  const { call, app } = world
  const { body: project } = await call('POST', '/projects', { name: 'Shop', visibility: 'private' })
  const visitor = new Visitor(app)
  const commit = (message: string, actions: object[], branch = 'main') =>
    call('POST', `/projects/${project.id}/repository/commits`, { branch, commit_message: message, actions, start_branch: 'main' })

  await visitor.signIn()

  return { ...world, project, visitor, commit, url: `/projects/${project.id}/code` }
}

t.test('a project without code says how to push some', async t => {
  const { visitor, url } = await openRepository(t)
  const { statusCode, body } = await visitor.get(url)

  t.equal(statusCode, 200)
  t.match(body, /Nothing has been pushed to the branch main yet/)
  t.match(body, /root\/shop\.git/)
})

t.test('directories, files, histories and commits are pages, at the web_urls of the API', async t => {
  const { call, visitor, project, commit, url } = await openRepository(t)

  await commit('First', [
    { action: 'create', file_path: 'README.md', content: '# Hello\n\n**bold** <script>1</script>\n' },
    { action: 'create', file_path: 'src/a b/app.ts', content: 'const a = 1\nconst b = "<i>"\n' },
    { action: 'create', file_path: 'logo.png', content: 'AAECAwD/', encoding: 'base64' }
  ])
  await commit('Second\n\nWith a body', [{ action: 'update', file_path: 'src/a b/app.ts', content: 'const a = 2\n' }])
  await call('POST', `/projects/${project.id}/repository/branches`, { branch: 'feature/x', ref: 'main' })
  const { body: root } = await visitor.get(url)

  t.match(root, /<strong>bold<\/strong>/, 'its README is rendered')
  t.notMatch(root, /<script>1/)
  t.match(root, new RegExp(`href="${url}/tree/main/src"`))
  const { body: directory } = await visitor.get(`${url}/tree/feature/x/src/a%20b`)
  t.match(directory, new RegExp(`href="${url}/blob/feature/x/src/a%20b/app.ts"`), 'a branch with a slash')
  const { body: file } = await visitor.get(`${url}/blob/main/src/a%20b/app.ts`)
  t.match(file, /<span id="L1">const a = 2\n<\/span>/)
  const { body: binary } = await visitor.get(`${url}/blob/main/logo.png`)
  t.match(binary, /large, or not text/)
  const { body: history } = await visitor.get(`${url}/commits/main/src`)
  t.match(history, /Second[\s\S]+First/)

  const { body: branches } = await call('GET', `/projects/${project.id}/repository/branches`)
  for (const { web_url: webUrl, commit } of branches) {
    for (const address of [webUrl, commit.web_url]) {
      const { statusCode, headers } = await visitor.get(new URL(address).pathname)

      t.equal(statusCode, 302, address)
      t.equal((await visitor.get(String(headers.location))).statusCode, 200, address)
    }
  }
  const { body: changed } = await visitor.get(`${url}/commit/${branches[0].commit.id}`)
  t.match(changed, /With a body/)
  t.match(changed, /<span class="removed">-const b = [^<]+i[^<]+/)
  t.match(changed, /<span class="added">\+const a = 2\n<\/span>/)
  const raw = await visitor.get(`${url}/raw/main/src/a%20b/app.ts`)
  t.equal((await visitor.get(String(raw.headers.location))).body, 'const a = 2\n')
  for (const path of ['tree/none', 'tree/main/none', 'blob/main/src', 'blob/main/..%2f..%2fetc', 'commit/none', 'commits/--all'])
    t.equal((await visitor.get(`${url}/${path}`)).statusCode, 404, path)
})

t.test('those who do not read the code do not see its pages', async t => {
  const { app, call, project, commit, url } = await openRepository(t)

  await commit('First', [{ action: 'create', file_path: 'a', content: 'secret' }])
  const password = 'a long enough phrase'
  const people = { guest: 10, stranger: 0, reporter: 20 }
  const expected: Record<string, number> = { guest: 403, stranger: 404, reporter: 200 }

  for (const [name, level] of Object.entries(people)) {
    const { id } = await aPerson(call, name, { password, force_random_password: false })

    if (level > 0) await call('POST', `/projects/${project.id}/members`, { user_id: id, access_level: level })
    const visitor = new Visitor(app)

    await visitor.signIn({ login: name, password })
    for (const path of ['', '/tree/main', '/blob/main/a', '/commits/main', '/commit/main'])
      t.equal((await visitor.get(url + path)).statusCode, expected[name], `${name} ${path}`)
  }
})
