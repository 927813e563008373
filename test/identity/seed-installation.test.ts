import { spawnSync } from 'node:child_process'
import t from 'tap'
import { seedInstallation, welcome } from '#seed-installation.ts'
import { newNamespace, openApp, openWorld, rootToken } from '../support/world.ts'

t.test('a later start says which credentials of the settings are ignored, and prints none', async t => {
  const { platform } = await openApp(t)
  const warnings: string[] = []
  const start = async (root: { token?: string; password?: string }) => {
    const config = { ...platform.config, root: { ...platform.config.root, ...root } }
    const log = Object.assign(Object.create(platform.log), { warn: (text: string) => warnings.push(text) })
    const restarted = { ...platform, config, log }

    return welcome(restarted, await seedInstallation(restarted))
  }

  t.notMatch(await start({}), rootToken)
  t.same(warnings, [])
  const text = await start({ token: 'glpat-another-token-of-root', password: 'another password' })

  t.same(
    warnings,
    ['ROOT_PASSWORD', 'ROOT_TOKEN'].map(
      name => `${name} is ignored: it is not that of "root", and it is read at the first start only. See tocsin user reset-password.`
    )
  )
  t.notMatch(text, 'glpat-another-token-of-root')
})

t.test('the commands of a later start can be pasted, and take the secrets from the shell', async t => {
  const { platform } = await openApp(t)
  const commands = (await welcome(platform, undefined)).split('\n').filter(line => line.includes('curl -H'))
  // A shell that sends nothing.
  const run = (command: string, env: Record<string, string>) =>
    spawnSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${command}`], { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } })

  t.equal(commands.length, 2)
  for (const command of commands) {
    const { stdout } = run(command, { ROOT_TOKEN: 'glpat-mine', ALERT_KEY: 'my-key' })

    t.match(stdout, /^-H\n(PRIVATE-TOKEN: glpat-mine|Authorization: Bearer my-key)\n/)
    t.match(stdout, /http:\/\/tocsin\.test\//)
    t.match(run(command, {}).stderr, /(ROOT_TOKEN|ALERT_KEY): set it to that of the first start/)
  }
})

t.test('a ROOT_PASSWORD that is easy to guess is refused at the first start, and ignored later', async t => {
  const { platform } = await openWorld(t, { namespace: newNamespace() })
  const start = (password: string) =>
    seedInstallation({ ...platform, config: { ...platform.config, root: { username: 'root', password, token: rootToken } } })

  for (const password of ['password1', 'Password2026!', 'admin1234', 'secretsecret', '00000000000', 'root1234', 'Administrator'])
    await t.rejects(start(password), { message: 'ROOT_PASSWORD is too easy to guess: choose one that is not common.' })
  t.equal((await platform.pool.query('SELECT FROM users')).rowCount, 0)
  t.equal((await start('a password of mine'))?.username, 'root')
  t.equal(await start('password1'), undefined)
})
