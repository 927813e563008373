import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { countWrites } from '#repositories/write-store.ts'
import { openGitServer } from '../../git-http/git-clients.ts'
import { pkt, post, zeros } from '../../git-http/raw-requests.ts'
import fc from '../../support/properties.ts'
import { eventually, rootToken } from '../../support/world.ts'

/** `FUZZ_GIT_REQUESTS=5000` for a longer look. */
const requests = Number(process.env.FUZZ_GIT_REQUESTS ?? 300)
const services = ['git-upload-pack', 'git-receive-pack']

/** Sends a request line as it is, and returns the status; 0 when the connection closes without one. */
function statusOf(port: number, method: string, path: string) {
  const authorization = Buffer.from(`oauth2:${rootToken}`).toString('base64')

  return new Promise<number>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''

    socket.setTimeout(20_000, () => socket.destroy(new Error(`no answer to ${method} ${path}`)))
    socket.on('data', chunk => {
      answer += chunk.toString('latin1')
    })
    socket.once('close', () => resolve(Number(answer.split(' ')[1] ?? 0)))
    socket.once('error', error => (answer ? undefined : reject(error)))
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${authorization}\r\nConnection: close\r\n\r\n`, 'latin1')
  })
}

function aPath(repository: string) {
  const segment = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '',
      '-',
      '%2e%2e',
      '%2E',
      '%2F',
      '%5c',
      '%00',
      '%',
      '%zz',
      '%ff',
      'root',
      'shop.git',
      '.git',
      '~',
      '\\',
      '\0',
      '*'
    ),
    fc.constantFrom(repository, `${repository}.git`, encodeURIComponent(repository), 'api/v4', '-/git', 'a'.repeat(5000), '/'.repeat(50)),
    fc.string({ maxLength: 12 }).map(text => text.replace(/[\r\n ]/g, ''))
  )
  const tail = fc.oneof(
    fc.constantFrom('info/refs', 'HEAD', 'objects/info/packs', 'objects/../config', 'info/lfs/locks', 'config', 'hooks/update', ''),
    fc.constantFrom(...services)
  )
  const service = fc.oneof(
    fc.constantFrom(...services, 'git-upload-archive', 'git-', 'upload-pack', '--exec=id', '__proto__', 'constructor', '%00', '$(id)', ''),
    fc.string({ maxLength: 20 }).map(encode)
  )
  const query = fc.oneof(
    service.map(name => `?service=${name}`),
    fc.tuple(service, service).map(([one, other]) => `?service=${one}&service=${other}`),
    fc.constantFrom(
      '',
      '?',
      '?service',
      '?service[]=git-upload-pack',
      '?a=/info/refs?service=git-upload-pack',
      '?service=git-upload-pack#x'
    )
  )

  return fc
    .tuple(fc.array(segment, { maxLength: 5 }), fc.constantFrom('', '.git'), tail, query)
    .map(([segments, suffix, tail, query]) => `/${segments.join('/')}${suffix}/${tail}${query}`.replace(/[\r\n ]/g, ''))
}

function encode(text: string) {
  return encodeURIComponent(text.toWellFormed())
}

function aBody(commit: string) {
  const ids = fc.constantFrom(commit, zeros, 'f'.repeat(40), 'x'.repeat(40), commit.slice(1), '')
  const refs = fc.constantFrom(
    'refs/heads/x',
    'refs/heads/../../config',
    'HEAD',
    'refs/heads/main',
    '../x',
    'refs/heads/a\0b',
    '',
    'refs/tags/-x',
    'y'.repeat(4000)
  )
  const line = fc.oneof(
    ids.map(id => pkt(`want ${id} side-band-64k ofs-delta\n`)),
    ids.map(id => pkt(`have ${id}\n`)),
    fc.tuple(ids, ids, refs).map(([from, to, ref]) => pkt(`${from} ${to} ${ref}\0report-status side-band-64k`)),
    fc.constantFrom('0000', '0001', '0002', '0003', '0004', '0005', 'fff0', 'FFFF', 'zzzz', '00', '-001', ' 12a').map(String),
    fc
      .constantFrom(
        'done\n',
        'command=ls-refs',
        'command=fetch',
        'command=nothing',
        'deepen 1',
        'deepen -5',
        'filter blob:none',
        'filter sparse:oid=x',
        'shallow x',
        'peel\n'
      )
      .map(pkt),
    fc.string({ maxLength: 30 }).map(pkt),
    fc.constant('PACK\0\0\0\x02\xff\xff\xff\xff'),
    fc.constant(pkt(`want ${commit}\n`).repeat(3000))
  )

  return fc.oneof(
    { weight: 6, arbitrary: fc.array(line, { maxLength: 8 }).map(lines => Buffer.from(lines.join(''), 'latin1')) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)) }
  )
}

function anEncoding() {
  return fc.constantFrom<[string | undefined, (body: Buffer) => Buffer]>(
    [undefined, body => body],
    [undefined, body => body],
    ['gzip', body => gzipSync(body)],
    ['x-gzip', body => gzipSync(body).subarray(0, -3)],
    ['gzip', body => Buffer.concat([gzipSync(body), Buffer.from('more')])],
    ['gzip', body => body],
    ['gzip', body => gzipSync(Buffer.concat([body, Buffer.alloc(12_000_000)]))],
    ['gzip, gzip', body => gzipSync(gzipSync(body))],
    ['br', body => body]
  )
}

t.test('no path and no query cause a server error, and none reaches a file', { timeout: 400_000 }, async t => {
  const { port, project } = await openGitServer(t)

  await fc.assert(
    fc.asyncProperty(fc.constantFrom('GET', 'GET', 'POST', 'HEAD', 'PUT'), aPath(project.path_with_namespace), async (method, path) => {
      const status = await statusOf(port, method, path)

      if (status >= 500) throw new Error(`${status} for ${method} ${path}`)
    }),
    { numRuns: requests * 3 }
  )
  t.equal(await statusOf(port, 'POST', '/%00/x.git/git-upload-pack'), 404)
  t.equal(await statusOf(port, 'GET', `/${project.path_with_namespace}.git/info/refs?service=git-upload-pack`), 200)
})

t.test('no body causes a server error, keeps a request open, or leaves a process', { timeout: 400_000 }, async t => {
  const server = await openGitServer(t)
  const client = await server.client()
  const commit = await client.commit('a')

  await client.ok('push', 'origin', 'main')
  const { id } = await server.repository()
  const aRequest = fc.record({
    service: fc.constantFrom(...services),
    body: aBody(commit),
    encoding: anEncoding(),
    protocol: fc.constantFrom('version=2', 'version=1', 'version=0', 'version=2:x=$(id)', 'nonsense', ''),
    type: fc.constantFrom(undefined, undefined, undefined, 'application/json', 'text/plain', 'application/x-git-upload-pack-request')
  })

  await fc.assert(
    fc.asyncProperty(aRequest, async ({ service, body, encoding: [name, encoded], protocol, type }) => {
      const headers = { 'git-protocol': protocol, ...(name && { 'content-encoding': name }), ...(type && { 'content-type': type }) }
      const answer = post(server.port, server.project.path_with_namespace, service, encoded(body), headers)
      const { status } = await Promise.race([answer, late(t)])

      if (status >= 500) throw new Error(`${status} for ${service}`)
    }),
    { numRuns: requests }
  )
  await eventually(() => gitProcesses().length === 0, 'no process is left')
  t.equal(await countWrites(server.platform.fork(), id), 0)
  t.match((await client.run('ls-remote', 'origin')).stdout, commit, 'the repository is as before')
  t.equal(await server.onServer('fsck'), '')
})

/** Rejects when a request is kept open. */
function late(t: { teardown: (end: () => void) => void }) {
  return new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer within 20 seconds')), 20_000)

    timer.unref()
    t.teardown(() => clearTimeout(timer))
  })
}

/** The children of this process that are git. */
function gitProcesses() {
  return readdirSync('/proc/self/task').flatMap(task =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8')
      .split(' ')
      .filter(pid => pid && nameOf(pid) === 'git')
  )
}

function nameOf(pid: string) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return undefined
  }
}
