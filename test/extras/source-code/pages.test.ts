import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { aPerson } from '../../identity/people.ts'
import { Visitor } from '../../pages/visitor.ts'
import { openApp, type WorldOptions } from '../../support/world.ts'

async function openRepository(t: Parameters<typeof openApp>[0], options?: WorldOptions) {
  const world = await openApp(t, options)
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
  t.match(file, /<span id="L1">.*const.* a = .*2.*\n<\/span>/)
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

t.test('a directory shows the last commit of each entry', async t => {
  const { visitor, commit, call, project, url } = await openRepository(t)
  const lastCommits = (body: string) =>
    Object.fromEntries(
      [
        ...body.matchAll(/<bdi>([^<]+)<\/bdi>\/?<\/a><span class="last-commit hint"><a href="[^"]+\/commit\/(\w+)">([^<]+)<\/a> <time/g)
      ].map(([, name, id, title]) => [name, { id, title }])
    )
  const create = (...paths: string[]) => paths.map(file_path => ({ action: 'create', file_path, content: file_path }))
  const { body: first } = await commit('First <b>\n\nBody', create('a.txt', 'src/deep/er/x.ts', 'src/y.ts', 'src/%2a.ts', '[s]rc/z.ts'))
  const { body: second } = await commit('Second', [{ action: 'update', file_path: 'src/deep/er/x.ts', content: '2' }])
  const { body: side } = await commit('Side', create('side.txt', 'src/side.ts'), 'side')

  t.equal((await call('POST', `/projects/${project.id}/repository/branches`, { branch: 'old', ref: first.id })).status, 201)
  const shown = { id: first.id, title: 'First &#60;b&#62;' }
  const then = { id: second.id, title: 'Second' }
  const other = { id: side.id, title: 'Side' }

  t.same(lastCommits((await visitor.get(url)).body), { src: then, '[s]rc': shown, 'a.txt': shown })
  t.same(lastCommits((await visitor.get(`${url}/tree/main/src`)).body), { deep: then, '%2a.ts': shown, 'y.ts': shown })
  t.same(lastCommits((await visitor.get(`${url}/tree/main/%5Bs%5Drc`)).body), { 'z.ts': shown }, 'a path is no pattern')
  t.same(lastCommits((await visitor.get(`${url}/tree/side`)).body), { src: other, '[s]rc': shown, 'a.txt': shown, 'side.txt': other })
  t.same(lastCommits((await visitor.get(`${url}/tree/old/src`)).body), { deep: shown, '%2a.ts': shown, 'y.ts': shown }, 'at another commit')
  t.same(lastCommits((await visitor.get(url)).body), { src: then, '[s]rc': shown, 'a.txt': shown }, 'and again')
})

t.test('a directory whose history takes too long to read is shown without last commits', async t => {
  const bin = t.testdir({ git: '#!/bin/sh\ncase "$*" in *--name-only*) exec sleep 60 ;; esac\nPATH=$GIT_TEST_PATH exec git "$@"\n' })

  chmodSync(`${bin}/git`, 0o755)
  writeFileSync(`${bin}/git`, readFileSync(`${bin}/git`, 'utf8').replace('$GIT_TEST_PATH', process.env.PATH!))
  const { visitor, commit, url } = await openRepository(t, { env: { PATH: `${bin}:${process.env.PATH}` } })

  await commit('First', [{ action: 'create', file_path: 'a.txt', content: 'a' }])
  const { statusCode, body } = await visitor.get(url)

  t.equal(statusCode, 200)
  t.match(body, /<bdi>a\.txt<\/bdi><\/a><\/li>/)
})

t.test('files are highlighted on the server, line by line, and every text is escaped', async t => {
  const { visitor, commit, url } = await openRepository(t)
  const hostile = [
    '<script>alert(1)</script> "</span></pre><img src=x onerror=alert(1)>" &lt;b&gt; &amp;#x27; &#60;i&#62; class="hljs-string">',
    '/* over <b>',
    'lines </b> */ `$ {a <script>} <style>` // \u202e evil',
    "<span class=\"hljs-keyword\">'</span> # <!-- --> <?php echo '<i>' ?>"
  ].join('\n')
  const endings = ['ts', 'html', 'md', 'php', 'py', 'yml', 'sh', 'sql', 'css', 'json', 'vue', 'rb', 'txt']

  await commit('First', [
    { action: 'create', file_path: 'app.ts', content: 'const a = "x" // one\n/* two\nthree */\n' },
    ...endings.map(ending => ({ action: 'create', file_path: `hostile.${ending}`, content: hostile }))
  ])
  const { body } = await visitor.get(`${url}/blob/main/app.ts`)

  t.match(
    body,
    '<span id="L1"><span class="hl-keyword">const</span> a = <span class="hl-string">&#34;x&#34;</span> <span class="hl-comment">// one</span>\n</span>'
  )
  t.match(
    body,
    '<span id="L2"><span class="hl-comment">/* two</span>\n</span><span id="L3"><span class="hl-comment">three */</span>\n</span></pre>'
  )
  for (const ending of endings) {
    const { body } = await visitor.get(`${url}/blob/main/hostile.${ending}?plain=1`)
    const [, shown = ''] = /<pre class="file lines"[^>]*>([\s\S]*?)<\/pre>/.exec(body) ?? []
    const text = shown.replaceAll(/<\/?bdi>|<span id="L\d+">|<span class="hl-[a-z]+">|<\/span>/g, '')

    t.equal(ending === 'txt', !shown.includes('class="hl-'), `${ending} is highlighted`)
    t.notMatch(text, /[<>"']/, `${ending} has no other markup`)
    t.equal(
      text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code)),
      `${hostile.replace('\u202e', '[U+202E]')}\n`,
      `${ending} shows the text as it is`
    )
  }
})

t.test('files that are long, or take too long, are shown without highlighting', async t => {
  const { visitor, commit, url } = await openRepository(t)
  const contents: Record<string, string> = {
    // Quadratic in the patterns of TypeScript: a minute for this text.
    'slow.ts': '_'.repeat(200_000),
    'long.ts': 'const a = 1\n'.repeat(5001),
    'large.ts': `const a = "${'x'.repeat(262_144)}"\n`
  }

  await commit(
    'First',
    Object.entries({ ...contents, 'small.ts': 'const a = 1\n' }).map(([file_path, content]) => ({ action: 'create', file_path, content }))
  )
  for (const path of Object.keys(contents)) {
    const { statusCode, body } = await visitor.get(`${url}/blob/main/${path}`)

    t.equal(statusCode, 200)
    t.match(body, /<span id="L1">[^<]/, path)
    t.notMatch(body, /class="hl-/, path)
  }
  t.match((await visitor.get(`${url}/blob/main/small.ts`)).body, /class="hl-keyword"/, 'others are highlighted thereafter')
})
