import { createHash, generateKeyPairSync } from 'node:crypto'
import { Gitlab } from '@gitbeaker/rest'
import t from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { listen } from '../support/listen.ts'
import { openApp, rootToken } from '../support/world.ts'
import { aPerson } from './people.ts'

/** RFC 4251 §5: strings with their length before them. */
function wire(...parts: (string | Buffer)[]) {
  return Buffer.concat(
    parts.flatMap(part => {
      const length = Buffer.alloc(4)

      length.writeUInt32BE(Buffer.from(part).length)

      return [length, Buffer.from(part)]
    })
  )
}

function publicKey(type: string, ...fields: (string | Buffer)[]) {
  return `${type} ${wire(type, ...fields).toString('base64')} jane@laptop`
}

function anEd25519Key() {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })

  return publicKey('ssh-ed25519', Buffer.from(x!, 'base64url'))
}

function anRsaKey(modulusLength: number) {
  const { n, e } = generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' })

  return publicKey('ssh-rsa', Buffer.from(e!, 'base64url'), Buffer.concat([Buffer.alloc(1), Buffer.from(n!, 'base64url')]))
}

function anEcdsaKey() {
  const { x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })

  return publicKey('ecdsa-sha2-nistp256', 'nistp256', Buffer.from(`04${hex(x!)}${hex(y!)}`, 'hex'))
}

function hex(base64url: string) {
  return Buffer.from(base64url, 'base64url').toString('hex')
}

t.test('users add, list, show and delete their SSH keys', async t => {
  const { call, platform } = await openApp(t)
  const { id, token } = await aPerson(call, 'jane')
  const other = await aPerson(call, 'joe')
  const key = anEd25519Key()
  const { status, body: added } = await call('POST', '/user/keys', { title: 'Laptop', key: ` ${key}\n` }, token)

  t.equal(status, 201)
  t.hasStrict(added, { title: 'Laptop', key, expires_at: null, last_used_at: null, usage_type: 'auth_and_signing' })
  for (const type of [anRsaKey(2048), anEcdsaKey()])
    t.equal((await call('POST', '/user/keys', { title: 'T', key: type }, token)).status, 201)
  t.equal((await call('GET', '/user/keys', undefined, token)).body.length, 3)
  t.same((await call('GET', `/user/keys/${added.id}`, undefined, token)).body, added)
  t.same((await call('GET', '/users/jane/keys?per_page=1', undefined, null)).body, [added], 'keys are public')
  t.same((await call('GET', `/users/${id}/keys/${added.id}`, undefined, other.token)).body, added)
  t.equal((await call('GET', `/user/keys/${added.id}`, undefined, other.token)).status, 404)
  t.equal((await call('DELETE', `/user/keys/${added.id}`, undefined, other.token)).status, 404)

  const duplicate = { status: 400, body: { message: { fingerprint_sha256: ['has already been taken'] } } }
  hasExactly(t, await call('POST', '/user/keys', { title: 'Mine', key }, other.token), duplicate, 'a key identifies one user')
  t.equal((await call('DELETE', `/user/keys/${added.id}`, undefined, token)).status, 204)
  t.equal((await call('DELETE', `/user/keys/${added.id}`, undefined, token)).status, 404)
  const { rows } = await platform.pool.query(
    `SELECT name, details->>'ssh_key' AS key FROM audit_events WHERE entity_id = $1 AND name ~ 'ssh_key' ORDER BY id`,
    [id]
  )
  const fingerprint = createHash('sha256')
    .update(Buffer.from(key.split(' ')[1]!, 'base64'))
    .digest('base64')
    .slice(0, 43)

  t.same(
    [rows[0], rows.at(-1)],
    [
      { name: 'ssh_key_added', key: `Laptop SHA256:${fingerprint}` },
      { name: 'ssh_key_removed', key: `Laptop SHA256:${fingerprint}` }
    ]
  )
})

t.test('SSH keys that are malformed, short or of another type are refused', async t => {
  const { call } = await openApp(t)
  const add = async (key: string, rest = {}) => (await call('POST', '/user/keys', { title: 'T', key, ...rest })).body.message
  const forbidden = { key: ['type is forbidden. Must be RSA, ECDSA, ED25519, ECDSA_SK or ED25519_SK'] }
  const invalid = { key: ['is invalid'] }
  const good = anEd25519Key()

  t.same(await add('nonsense'), forbidden)
  t.same(await add('constructor AAAA'), forbidden)
  t.same(await add(publicKey('ssh-dss', 'p', 'q', 'g', 'y')), forbidden)
  t.same(await add('-----BEGIN OPENSSH PRIVATE KEY-----'), forbidden)
  t.same(await add(`command="rm" ${good}`), forbidden)
  t.same(await add('ssh-ed25519 !!!!'), invalid)
  t.same(await add(good.replace('ssh-ed25519 ', 'ssh-rsa ')), invalid, 'the type is that of the data')
  t.same(await add(publicKey('ssh-ed25519', Buffer.alloc(31))), invalid)
  t.same(await add(publicKey('ssh-ed25519', Buffer.alloc(32), 'more')), invalid)
  t.same(await add(publicKey('ecdsa-sha2-nistp256', 'nistp384', Buffer.alloc(65, 4))), invalid)
  t.same(await add(publicKey('ssh-rsa', Buffer.alloc(0), Buffer.alloc(256, 1))), invalid)
  t.same(await add(`ssh-ed25519 ${Buffer.concat([wire('ssh-ed25519'), Buffer.from('ffffffff', 'hex')]).toString('base64')}`), invalid)
  t.same(await add(anRsaKey(1024)), { key: ['must be at least 2048 bits'] })
  t.same(await add(good, { expires_at: '2020-01-01' }), { expires_at: ['must be in the future'] })
  t.hasStrict(await call('POST', '/user/keys', { title: 'T', key: good, expires_at: '2999-01-01', usage_type: 'auth' }), {
    status: 201,
    body: { expires_at: '2999-01-01T00:00:00.000Z', usage_type: 'auth' }
  })
})

t.test('admins manage the keys of users, and find them by id and fingerprint', async t => {
  const { call } = await openApp(t)
  const { id, token } = await aPerson(call, 'jane')
  const key = anEd25519Key()
  const data = Buffer.from(key.split(' ')[1]!, 'base64')
  const sha256 = createHash('sha256').update(data).digest('base64')
  const md5 = createHash('md5').update(data).digest('hex').match(/../g)!.join(':')
  const { body: added } = await call('POST', `/users/${id}/keys`, { title: 'T', key })

  for (const url of [
    `/keys/${added.id}`,
    ...[`SHA256:${sha256}`, `SHA256:${sha256.slice(0, 43)}`, md5, `MD5:${md5}`].map(
      fingerprint => `/keys?fingerprint=${encodeURIComponent(fingerprint)}`
    )
  ]) {
    t.hasStrict(await call('GET', url), { status: 200, body: { ...added, user: { id, username: 'jane' } } }, url)
  }
  t.hasStrict(await call('GET', `/keys?fingerprint=SHA256:${'A'.repeat(43)}`), { status: 404, body: { message: '404 Key Not Found' } })
  t.equal((await call('GET', '/keys?fingerprint=odd')).status, 400)
  t.equal((await call('GET', `/keys/${added.id}`, undefined, token)).status, 403)
  t.equal((await call('DELETE', `/users/${id}/keys/${added.id}`)).status, 204)

  await call('PUT', `/users/${id}`, { private_profile: true })
  t.equal((await call('GET', '/users/jane/keys', undefined, null)).status, 404)
  t.equal((await call('GET', '/users/jane/keys')).status, 200)
})

t.test('a user has at most 100 SSH keys', async t => {
  const { call, platform } = await openApp(t)

  await platform.pool.query(`INSERT INTO ssh_keys (user_id, title, key, fingerprint_md5, fingerprint_sha256)
    SELECT 1, 'T', 'K', n::text, n::text FROM generate_series(1, 99) AS n`)
  const add = async () => (await call('POST', '/user/keys', { title: 'T', key: anEd25519Key() })).status

  t.same((await Promise.all([add(), add(), add()])).sort(), [201, 400, 400])
})

/** The sample of RFC 9580, appendix A.3. */
const sample = `-----BEGIN PGP PUBLIC KEY BLOCK-----

xioGY4d/4xsAAAAg+U2nu0jWCmHlZ3BqZYfQMxmZu52JGggkLq2EVD34laPCsQYf
GwoAAABCBYJjh3/jAwsJBwUVCg4IDAIWAAKbAwIeCSIhBssYbE8GCaaX5NUt+mxy
KwwfHifBilZwj2Ul7Ce62azJBScJAgcCAAAAAK0oIBA+LX0ifsDm185Ecds2v8lw
gyU2kCcUmKfvBXbAf6rhRYWzuQOwEn7E/aLwIwRaLsdry0+VcallHhSu4RN6HWaE
QsiPlR4zxP/TP7mhfVEe7XWPxtnMUMtf15OyA51YBM4qBmOHf+MZAAAAIIaTJINn
+eUBXbki+PSAld2nhJh/LVmFsS+60WyvXkQ1wpsGGBsKAAAALAWCY4d/4wKbDCIh
BssYbE8GCaaX5NUt+mxyKwwfHifBilZwj2Ul7Ce62azJAAAAAAQBIKbpGG2dWTX8
j+VjFM21J0hqWlEg+bdiojWnKfA5AQpWUWtnNwDEM0g12vYxoWM8Y81W+bHBw805
I8kWVkXU6vFOi+HWvv/ira7ofJu16NnoUkhclkUrk0mXubZvyl4GBg==
-----END PGP PUBLIC KEY BLOCK-----`

function armored(...packets: [header: string, body: string][]) {
  const data = packets.map(([header, body]) => Buffer.from(header + body, 'hex'))

  return sample.replace(/\n\n.*\n-/s, `\nComment: test\n\n${Buffer.concat(data).toString('base64')}\n=AAAA\n-`)
}

t.test('users add, list, show and delete their GPG keys', async t => {
  const { call, platform } = await openApp(t)
  const { id, token } = await aPerson(call, 'jane')
  const { status, body: added } = await call('POST', '/user/gpg_keys', { key: `${sample}\n` }, token)

  t.equal(status, 201)
  t.equal(added.key, sample)
  t.same((await call('GET', '/user/gpg_keys', undefined, token)).body, [added])
  t.same((await call('GET', `/user/gpg_keys/${added.id}`, undefined, token)).body, added)
  t.same((await call('GET', '/users/jane/gpg_keys', undefined, null)).body, [added])
  const duplicate = { status: 400, body: { message: { fingerprint: ['has already been taken'] } } }
  hasExactly(t, await call('POST', '/user/gpg_keys', { key: sample }), duplicate)

  // An old and a new packet header, each with the same version 4 key.
  const body = '04590000000100080103'
  t.equal((await call('POST', '/user/gpg_keys', { key: armored(['980a', body], ['cd01', '41']) })).status, 201)
  hasExactly(t, await call('POST', '/user/gpg_keys', { key: armored(['c60a', body]) }), duplicate)
  t.same((await platform.pool.query('SELECT fingerprint FROM gpg_keys ORDER BY id')).rows, [
    { fingerprint: 'CB186C4F0609A697E4D52DFA6C722B0C1F1E27C18A56708F6525EC27BAD9ACC9' },
    {
      fingerprint: createHash('sha1')
        .update(Buffer.from(`99000a${body}`, 'hex'))
        .digest('hex')
        .toUpperCase()
    }
  ])

  for (const key of [
    'nonsense',
    sample.replaceAll('PUBLIC', 'PRIVATE'),
    armored(['c50a', body]),
    armored(['c60a', body], ['c70a', body]),
    armored(['c60b', body]),
    armored(['cd01', '41']),
    armored(),
    armored(['c6ff', body])
  ]) {
    t.match(await call('POST', '/user/gpg_keys', { key }), {
      status: 400,
      body: { message: { key: [/^is invalid. A valid public GPG key/] } }
    })
  }
  t.equal((await call('DELETE', `/users/${id}/gpg_keys/${added.id}`)).status, 204)
  t.same((await call('GET', '/users/jane/gpg_keys')).body, [])
})

t.test('gitbeaker manages keys', async t => {
  const { app } = await openApp(t)
  const host = await listen(app)
  const { UserSSHKeys, UserGPGKeys, Keys } = new Gitlab({ host, token: rootToken })
  const key = anEd25519Key()
  const added = await UserSSHKeys.create('Laptop', key)

  t.hasStrict(added, { title: 'Laptop', key })
  hasExactly(t, await UserSSHKeys.all(), [{ id: added.id }])
  t.hasStrict(await Keys.show({ keyId: added.id }), { user: { username: 'root' } })
  await UserSSHKeys.remove(added.id)
  t.same(await UserSSHKeys.all(), [])
  const gpg = await UserGPGKeys.create(sample)
  hasExactly(t, await UserGPGKeys.all(), [{ id: gpg.id }])
  await UserGPGKeys.remove(gpg.id)
  t.same(await UserGPGKeys.all(), [])
})
