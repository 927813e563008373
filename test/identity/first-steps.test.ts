import t from 'tap'
import { takeFirstSteps, welcome } from '../../src/first-steps.ts'
import { newNamespace, openApp, openWorld, rootToken } from '../support/world.ts'

t.test('a later start says which credentials of the settings are ignored, and prints none', async t => {
  const { platform } = await openApp(t)
  const warnings: string[] = []
  const start = async (root: { token?: string; password?: string }) => {
    const config = { ...platform.config, root: { ...platform.config.root, ...root } }
    const log = Object.assign(Object.create(platform.log), { warn: (text: string) => warnings.push(text) })
    const restarted = { ...platform, config, log }

    return welcome(restarted, await takeFirstSteps(restarted))
  }

  t.notMatch(await start({}), rootToken)
  t.same(warnings, [])
  const text = await start({ token: 'glpat-another-token-of-root', password: 'another password' })

  t.same(
    warnings,
    ['ROOT_PASSWORD', 'ROOT_TOKEN'].map(
      name => `${name} is ignored: it is not that of "root", and it is read at the first start only. See npm run reset-root.`
    )
  )
  t.notMatch(text, 'glpat-another-token-of-root')
})

t.test('a ROOT_PASSWORD that is easy to guess is refused at the first start, and ignored later', async t => {
  const { platform } = await openWorld(t, { namespace: newNamespace() })
  const start = (password: string) =>
    takeFirstSteps({ ...platform, config: { ...platform.config, root: { username: 'root', password, token: rootToken } } })

  for (const password of ['password1', 'Password2026!', 'admin1234', 'secretsecret', '00000000000', 'root1234', 'Administrator'])
    await t.rejects(start(password), { message: 'ROOT_PASSWORD is too easy to guess: choose one that is not common.' })
  t.equal((await platform.pool.query('SELECT FROM users')).rowCount, 0)
  t.equal((await start('a password of mine'))?.username, 'root')
  t.equal(await start('password1'), undefined)
})
