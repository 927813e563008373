import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '#config.ts'
import { Settings } from '#settings/settings.ts'
import { readProcfile } from '../../bin/procfile.js'
import { compose, type Service, text } from './compose.ts'
import { root } from './launcher.ts'

const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
const { web, worker, postgres, valkey } = compose.services
const procfile = readProcfile(join(root, 'Procfile'))

t.test('web, workers, Postgres and Valkey have health checks, restart policies and volumes', async t => {
  t.same(Object.keys(compose.services), ['web', 'worker', 'postgres', 'valkey'])

  for (const [name, service] of Object.entries(compose.services)) {
    t.match(service.healthcheck.test[0], /^CMD(-SHELL)?$/, `${name} is checked`)
    t.ok(service.healthcheck.test.every(part => typeof part === 'string'))
    t.match(service.healthcheck.interval, /^\d+s$/)
    t.equal(service.restart, 'unless-stopped')
    t.match(service.logging.options, { 'max-size': /^\d+m$/, 'max-file': /^\d+$/ }, `${name} fills no disk with logs`)
    for (const volume of service.volumes) t.ok((volume.split(':')[0] ?? '') in compose.volumes, `${name} keeps ${volume}`)
  }
})

t.test("web and worker run the Procfile's commands once Postgres and Valkey are healthy", async t => {
  t.equal(web.command, procfile.get('web'))
  t.equal(worker.command, procfile.get('worker'))
  t.equal(JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? '').join(' '), procfile.get('web'))

  for (const { depends_on } of [web, worker]) {
    t.same(depends_on, { postgres: { condition: 'service_healthy' }, valkey: { condition: 'service_healthy' } })
  }
  // A port of the host can be given to one container only, and there are many workers.
  t.notOk(worker.ports)
})

t.test('Valkey persists its data and evicts nothing', async t => {
  for (const setting of ['--appendonly yes', '--appendfsync always', '--maxmemory-policy noeviction']) t.match(valkey.command, setting)
  t.same(valkey.volumes, ['valkey:/data'])
  t.match(postgres.image, /^postgres:18/)
  t.same(postgres.volumes, ['postgres:/var/lib/postgresql'])
})

t.test('every variable that is set is a setting with a valid value', async t => {
  for (const { environment = {} } of [web, worker]) {
    t.same(
      Object.keys(environment).filter(name => !(name in Settings.properties)),
      []
    )
    t.doesNotThrow(() => readConfig(filledIn(environment)))
  }
  const fixed =
    /^ENV (.*)$/m
      .exec(dockerfile)?.[1]
      ?.split(' ')
      .map(pair => pair.split('=')[0] ?? '') ?? []
  t.same(
    fixed.filter(name => !(name in Settings.properties)),
    []
  )
  t.equal(readConfig(filledIn(web.environment)).host, '0.0.0.0')
})

t.test('containers have no more rights than they need, and only this machine reaches the web process', async t => {
  for (const [name, service] of Object.entries(compose.services)) {
    t.same(service.security_opt, ['no-new-privileges:true'], name)
    t.match(service.mem_limit, /^\d+[mg]$/, name)
  }
  for (const service of [web, worker]) {
    t.hasStrict(service, { read_only: true, cap_drop: ['ALL'] })
    // Passes every setting through.
    t.same(service.env_file, [{ path: '.env', required: false }])
  }
  t.same(web.ports, ['127.0.0.1:3000:3000'])
})

t.test('the password of the database and the secret key have no defaults', async t => {
  for (const name of ['POSTGRES_PASSWORD', 'SECRET_KEY']) {
    const given = text.match(new RegExp(`\\$\\{${name}[^}]*\\}`, 'g'))

    t.same([...new Set(given)], [`\${${name}:?set it}`])
  }
  for (const name of ['ROOT_PASSWORD', 'ROOT_TOKEN']) t.equal(web.environment?.[name], `\${${name}:-}`)
})

t.test('Valkey asks for a password, which web and workers have', async t => {
  t.match(valkey.command, /--requirepass \$\{POSTGRES_PASSWORD:\?set it\}/)
  for (const { environment } of [web, worker]) t.match(environment?.REDIS_URL, /:\/\/:\$\{POSTGRES_PASSWORD:\?set it\}@valkey/)
})

t.test('the image tells its commit, and whether its process is well', async t => {
  t.match(dockerfile, /^LABEL .*org\.opencontainers\.image\.revision=\$REVISION$/m)
  t.match(dockerfile, /^RUN echo "\$REVISION" > REVISION$/m)
  t.match(dockerfile, /^HEALTHCHECK .* CMD \["bash", "bin\/healthy\.sh"\]$/m)
})

t.test('the image has no development tools and does not run as root', async t => {
  t.match(dockerfile, /^FROM node:24-slim$/m)
  t.match(dockerfile, /npm ci --omit=dev/)
  t.match(dockerfile, /^USER node$/m)
  t.same(readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n'), [
    '*',
    '!package.json',
    '!package-lock.json',
    '!bin',
    '!src',
    '!workers'
  ])
})

/** The environment as Compose would hand it over. */
function filledIn(environment: Service['environment'] = {}) {
  const value = (given: string | number) =>
    String(given)
      .replace(/\$\{\w+:-([^}]*)\}/g, '$1')
      .replace(/\$\{\w+:\?[^}]*\}/g, 'a-secret-of-thirty-two-characters')

  return Object.fromEntries(Object.entries(environment).map(([name, given]) => [name, value(given)]))
}
