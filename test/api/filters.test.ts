import t from 'tap'
import { openApp } from '../support/world.ts'

t.test('a filter on data that does not exist here never widens a list', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop' })
  const { body: group } = await call('POST', '/groups', { name: 'Team', path: 'team' })
  const issues = `/projects/${project.id}/issues`

  await call('POST', issues, { title: 'Buy milk' })
  await call('POST', '/projects', { name: 'Till', namespace_id: group.id })
  for (const [list, filters] of [
    ['/users', ['extern_uid=1&provider=ldap', 'two_factor=enabled', 'auditors=true', 'exclude_active=true']],
    ['/users?pagination=keyset&order_by=id', ['extern_uid=1']],
    ['/projects', ['starred=true', 'with_programming_language=Ruby', 'custom_attributes[team]=a']],
    ['/projects?pagination=keyset&order_by=id', ['starred=true']],
    ['/users/root/projects', ['imported=true']],
    [`/groups/${group.id}/projects`, ['topic_id=1']],
    ['/groups', ['repository_storage=other']],
    [
      issues,
      [
        'labels=stale',
        'labels[]=a&labels[]=b',
        'milestone=1.0',
        'milestone_id=Any',
        'not[author_id]=1',
        'scope=assigned_to_me',
        'confidential=true'
      ]
    ],
    [`${issues}?pagination=keyset&order_by=created_at`, ['labels=stale']],
    [`/projects/${project.id}/members/all`, ['state=awaiting']]
  ] as const) {
    const separator = list.includes('?') ? '&' : '?'

    t.not((await call('GET', list)).body.length, 0, list)
    for (const filter of filters) {
      const { status, headers, body } = await call('GET', `${list}${separator}${filter}`)

      t.same([status, body], [200, []], `${list} ${filter}`)
      t.notMatch(headers.link, /rel="next"/)
    }
  }
  for (const neutral of ['labels=None', 'scope=all', 'confidential=false', 'milestone=', 'in=title,description']) {
    const { body } = await call('GET', `${issues}?${neutral}`)
    t.same(
      body.map(({ title }: { title: string }) => title),
      ['Buy milk'],
      neutral
    )
  }
  t.equal((await call('GET', '/projects/4711/issues?labels=stale')).status, 404, 'what the caller may not see stays unknown')
  t.same((await call('GET', '/projects?active=false')).body, [])
  const { body } = await call('GET', '/projects?active=true')
  t.same(
    body.map(({ name }: { name: string }) => name),
    ['Till', 'Shop', 'Demo']
  )
})

t.test('a value that would hide something and cannot be stored is refused', async t => {
  const { call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Shop', issues_access_level: 'enabled' })
  const issues = `/projects/${project.id}/issues`
  const refused = (name: string) => ({ status: 400, body: { error: `${name} does not have a valid value` } })

  t.equal((await call('POST', issues, { title: 'Open', confidential: 'false', weight: 5 })).status, 201)
  t.hasStrict(await call('POST', `${issues}/1/notes`, { body: 'x', internal: true }), refused('internal'))
  t.hasStrict(await call('POST', `${issues}/1/notes`, { body: 'x', confidential: true }), refused('confidential'))
  t.equal((await call('GET', issues)).body.length, 1)
})
