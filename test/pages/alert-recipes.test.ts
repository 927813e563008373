import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { parse } from 'yaml'
import { presets } from '#alerts/presets/presets.ts'
import { recipesFor } from '#pages/alert-integrations/connect/recipes.ts'
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
  t.same(
    titles('prometheus').filter(title => !titles('http').includes(title)),
    []
  )
  for (const { kind, label } of presets.filter(({ kind }) => kind === 'http')) t.ok(titles(kind).includes(label), label)
  t.same(titles('http').length, new Set(titles('http')).size, 'no tool twice')
})

t.test('every preset has a recipe with the URL and the key', async t => {
  for (const { name, kind, label } of presets) {
    const [recipe] = recipesFor(kind, credentials, name)
    const text = recipe!.blocks.map(({ text }) => text).join('\n')

    t.ok(recipe!.title && recipe!.steps.length > 0, label)
    t.match(text, 'tocsin.example.com', label)
    t.match(text, credentials.key, label)
  }
})

t.test('the recipes of Datadog, Icinga and Zabbix send the members that their presets are tested with', async t => {
  const sent = (sender: string) => {
    const text = readFileSync(new URL(`../alerts/payloads/${sender}/fire.json`, import.meta.url), 'utf8')

    return Object.keys(JSON.parse(text)).sort()
  }
  const textOf = (sender: string, block: string) =>
    recipesFor('http', credentials, sender)[0]!.blocks.find(({ name }) => name === block)!.text

  t.same(Object.keys(JSON.parse(textOf('datadog', 'Payload'))).sort(), sent('datadog'))
  const [host, service] = textOf('icinga2', 'tocsin.conf').split('object NotificationCommand "tocsin-service"')
  const names = (command: string) => [...command.matchAll(/"--arg", "(\w+)"/g)].map(([, name]) => name!).sort()
  t.same(names(service!), sent('icinga2'))
  t.same(
    names(host!),
    sent('icinga2').filter(name => !name.startsWith('service'))
  )

  const parameters = textOf('zabbix', 'Parameters')
    .split('\n')
    .map(line => line.split(' ') as [string, string])
  const requests: unknown[] = []
  class HttpRequest {
    headers: string[] = []
    addHeader(header: string) {
      this.headers.push(header)
    }
    post(url: string, body: string) {
      requests.push({ url, headers: this.headers, body: JSON.parse(body) })
    }
    getStatus = () => 200
  }

  runInNewContext(`(function (value) {${textOf('zabbix', 'Script')}})(value)`, {
    HttpRequest,
    value: JSON.stringify(Object.fromEntries(parameters))
  })
  hasExactly(t, requests, [
    { url: credentials.url, headers: ['Content-Type: application/json', `Authorization: Bearer ${credentials.key}`] }
  ])
  t.same(Object.keys((requests[0] as { body: object }).body).sort(), sent('zabbix'))
})
