import t from 'tap'
import { takeFirstSteps, welcome } from '../../src/first-steps.ts'
import { openApp, rootToken } from '../support/world.ts'

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
