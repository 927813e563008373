import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { Platform } from '#boot.ts'
import { Repository } from '#repositories/repository.ts'
import { countWrites } from '#repositories/write-store.ts'
import { eventually, type WorldOptions } from '../support/world.ts'
import { openGitServer, runGit } from './git-clients.ts'
import { openRequest, pkt, post, processesIn, pushOf, zeros } from './raw-requests.ts'

/** A server whose repository has a commit, and the body of a request that pushes the commit to another branch. */
async function openServer(t: Test, options?: WorldOptions) {
  const server = await openGitServer(t, options)
  const client = await server.client()
  const commit = await client.commit('a', randomBytes(200_000).toString('base64'))

  await client.ok('push', 'origin', 'main')
  const path = server.project.path_with_namespace as string
  const repository = await server.repository()
  const directory = server.platform.git.storages.directory(repository)
  const untilIdle = () =>
    eventually(
      async () => processesIn(directory).length === 0 && (await countWrites(server.platform.fork(), repository.id)) === 0,
      'no process and no write is left'
    )

  return { ...server, client, commit, path, directory, untilIdle, push: pushOf(client.path, commit, 'refs/heads/side') }
}

/** From now on: the set-up may take as long as a busy machine needs. */
function limit({ config }: Platform, changes: Partial<Platform['config']['gitTransfers']>) {
  config.gitTransfers = { ...config.gitTransfers, ...changes }
}

t.test('a pack over the limit is refused with a message', async t => {
  const { client, onServer } = await openServer(t, { env: { GIT_PUSH_MAX_BYTES: '300000' } })

  await client.commit('large', randomBytes(2_000_000).toString('base64'))
  const refused = await client.run('-c', 'http.postBuffer=65536', 'push', 'origin', 'main:large')

  t.not(refused.code, 0)
  t.match(refused.stderr, /remote: fatal: pack exceeds maximum allowed size/)
  t.equal(await onServer('branch', '--list', 'large'), '')
})

t.test('bodies may be gzip; broken, large and foreign ones are refused', async t => {
  const { port, path, commit, client } = await openServer(t)
  const clone = `${pkt(`want ${commit} side-band-64k ofs-delta\n`)}0000${pkt('done\n')}`
  const gzip = { 'content-encoding': 'gzip' }
  const upload = (body: Buffer | string, headers?: Record<string, string>) => post(port, path, 'git-upload-pack', body, headers)

  for (const [body, headers] of [
    [clone, {}],
    [gzipSync(clone), gzip]
  ] as const) {
    const { status, body: answer } = await upload(body, headers)

    t.equal(status, 200)
    t.ok(answer.includes('PACK'))
  }
  t.equal((await upload('not gzip', gzip)).status, 400)
  t.equal((await upload(gzipSync(clone).subarray(0, 30), gzip)).status, 400)
  t.equal((await upload(clone, { 'content-encoding': 'br' })).status, 415)
  t.equal((await upload(clone, { 'content-type': 'application/json' })).status, 415)
  t.equal((await upload(gzipSync(Buffer.alloc(11_000_000, pkt(`want ${commit}\n`))), gzip)).status, 413, 'a bomb')
  t.equal((await upload('zzzz')).status, 400)
  const commands = Buffer.alloc(5_000_000, pkt(`${zeros} ${commit} refs/heads/x`))

  t.equal((await post(port, path, 'git-receive-pack', commands)).status, 413)
  t.equal((await post(port, path, 'git-receive-pack', '0000')).status, 200, 'git probes the credentials like this')
  t.equal((await client.run('ls-remote', 'origin')).code, 0, 'it goes on')
})

t.test('a client that leaves in the middle of a push leaves nothing', async t => {
  const { port, path, push, directory, untilIdle, onServer, client } = await openServer(t)
  const { sent, answer } = openRequest(port, path, 'git-receive-pack')

  sent.write(push.subarray(0, push.length - 1000))
  await eventually(() => processesIn(directory).length > 0, 'git reads the pack')
  sent.destroy()
  await t.rejects(answer)
  await untilIdle()
  t.equal(await onServer('branch', '--list', 'side'), '')
  t.same(
    (await readdir(join(directory, 'objects'))).filter(name => name.startsWith('tmp_')),
    []
  )
  await client.ok('push', 'origin', 'main:side')
})

t.test('a client that leaves in the middle of a clone leaves no process', async t => {
  const { port, path, directory, untilIdle, client } = await openServer(t)

  await client.commit('large', randomBytes(20_000_000).toString('base64'))
  await client.ok('push', 'origin', 'main')
  const { sent, answer } = openRequest(port, path, 'git-upload-pack')
  const head = await client.ok('rev-parse', 'main')
  const response = new Promise<void>(resolve => sent.on('response', () => resolve()))

  answer.catch(() => {})
  sent.end(`${pkt(`want ${head} side-band-64k\n`)}0000${pkt('done\n')}`)
  await response
  await eventually(() => processesIn(directory).length > 0, 'git waits for the client')
  sent.destroy()
  await untilIdle()
})

t.test('a client that sends nothing more is cut off', async t => {
  const { port, path, push, untilIdle, onServer, platform } = await openServer(t)

  limit(platform, { idleMs: 1000 })
  const { sent, answer } = openRequest(port, path, 'git-receive-pack')

  sent.write(push.subarray(0, 1000))
  await t.rejects(answer)
  await untilIdle()
  t.equal(await onServer('branch', '--list', 'side'), '')
})

t.test('a transfer that takes too long is cut off', async t => {
  const { port, path, push, untilIdle, platform } = await openServer(t)

  limit(platform, { totalMs: 1000 })
  const { sent, answer } = openRequest(port, path, 'git-receive-pack')
  let at = 0
  // A byte at a time is not idle.
  const timer = setInterval(() => sent.write(push.subarray(at, ++at)), 50)

  t.teardown(() => clearInterval(timer))
  await t.rejects(answer)
  clearInterval(timer)
  await untilIdle()
})

t.test('when too many transfers wait, more are told to come back', async t => {
  const { port, path, push, platform } = await openServer(t, { env: { GIT_PROCESSES: '1' } })
  const turns = await Promise.all([platform.git.transfers.acquire()])
  const waiting = Array.from({ length: 10 }, () => platform.git.transfers.acquire())
  const refused = await post(port, path, 'git-receive-pack', push)

  t.equal(refused.status, 503)
  t.equal(refused.retryAfter, '5')
  for (const release of turns) release()
  for (const turn of waiting) (await turn)()
  t.equal((await post(port, path, 'git-receive-pack', push)).status, 200)
})

t.test('a push that a move may have missed is not confirmed', async t => {
  const { port, path, push, platform, directory } = await openServer(t)
  const { sent, answer } = openRequest(port, path, 'git-receive-pack')

  sent.write(push.subarray(0, 1000))
  await eventually(() => processesIn(directory).length > 0, 'git reads the pack')
  await platform.pool.query(`UPDATE repository_writes SET expires_at = now() - interval '1 second'`)
  sent.end(push.subarray(1000))
  const { status, body } = await answer

  t.equal(status, 200)
  t.match(body.toString(), /\x03The push is not confirmed: 503 Service Unavailable/)
  t.notOk(body.includes('ok refs/heads/side'))
})

t.test('a push that begins during a move is refused', async t => {
  const { port, path, push, platform, onServer } = await openServer(t)

  await platform.fork().nativeUpdate(Repository, { projectId: { $ne: null } }, { isReadOnly: true })
  const { status, body } = await post(port, path, 'git-receive-pack', push)

  t.equal(status, 403)
  t.match(body.toString(), /read-only while it moves/)
  t.equal(await onServer('branch', '--list', 'side'), '')
})

t.test('20 clients at once clone and push, in turns', async t => {
  const { client, clone, url, onServer } = await openServer(t, { env: { GIT_PROCESSES: '4' } })
  const codes = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const cloned = await clone(`many-${n}`, url())
      const directory = join(client.path, `../many-${n}`)

      await runGit(directory, ['commit', '--quiet', '--allow-empty', '-m', String(n)])
      const pushed = await runGit(directory, ['push', 'origin', `HEAD:refs/heads/many-${n}`])

      return [cloned.code, pushed.code]
    })
  )

  t.same(
    codes,
    codes.map(() => [0, 0])
  )
  t.equal((await onServer('branch', '--list', 'many-*')).split('\n').length, 20)
})

t.test('1,000 commits are pushed and cloned', async t => {
  const { client, clone, url } = await openServer(t)
  const commits = Array.from(
    { length: 1000 },
    (_, n) =>
      `commit refs/heads/long\ncommitter A <a@example.com> ${n} +0000\ndata 1\nx\nM 100644 inline f\ndata ${String(n).length}\n${n}\n`
  )

  await runGit(client.path, ['fast-import', '--quiet'], {}, commits.join('\n'))
  await client.ok('push', 'origin', 'long')
  t.equal((await clone('long', '--branch=long', url())).code, 0)
  t.equal((await runGit(join(client.path, '../long'), ['rev-list', '--count', 'HEAD'])).stdout, '1000\n')
})
