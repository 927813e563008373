import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { recipesFor } from '../../src/pages/projects/alert-integrations/recipes.ts'
import { hasExactly } from '../support/has-exactly.ts'

const credentials = { url: "https://tocsin.example.com/it's/shop/alerts/notify.json", key: '0123456789abcdef0123456789abcdef' }
const blocks = new Map(
  recipesFor('prometheus', credentials)
    .flatMap(({ blocks }) => blocks)
    .map(({ name, text }) => [name, text])
)
const amtool = spawnSync('amtool', ['--version']).status === 0

t.test('every recipe is valid for its tool', async t => {
  t.hasStrict(parse(blocks.get('alertmanager.yml')!).receivers[0].webhook_configs[0], {
    url: credentials.url,
    send_resolved: true,
    http_config: { authorization: { credentials: credentials.key } }
  })
  t.hasStrict(parse(blocks.get('provisioning/alerting/tocsin.yml')!).contactPoints[0].receivers[0].settings, {
    url: credentials.url,
    authorization_credentials: credentials.key
  })
  const rule = parse(blocks.get('tocsin.rules.yml')!).groups[0].rules[0]
  t.equal(rule.alert, 'InstanceDown')
  t.match(rule.annotations.title, /is down/)
  hasExactly(t, parse(blocks.get('prometheus.yml, added to the existing settings')!), { rule_files: ['tocsin.rules.yml'] })
  for (const name of ['When it is down', 'When it is up again', 'Additional headers']) t.ok(JSON.parse(blocks.get(name)!), name)
  t.hasStrict(URL.parse(blocks.get('URL with the key')!), { password: credentials.key })
})

t.test('Alertmanager accepts its configuration as printed', { skip: amtool ? false : 'there is no amtool' }, async t => {
  const file = join(t.testdir({ 'alertmanager.yml': blocks.get('alertmanager.yml')! }), 'alertmanager.yml')
  const { status, stdout, stderr } = spawnSync('amtool', ['check-config', file])

  t.equal(status, 0, `${stdout}${stderr}`)
})

t.test('the best recipes for an integration come first', async t => {
  const titles = (kind: 'http' | 'prometheus') => recipesFor(kind, credentials).map(({ title }) => title)

  t.equal(titles('http')[0], 'curl')
  t.equal(titles('prometheus')[0], 'Alertmanager')
  t.same(titles('http').toSorted(), titles('prometheus').toSorted())
})
