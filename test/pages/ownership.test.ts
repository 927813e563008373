import t, { type Test } from 'tap'
import { anEnvelope, anEventId, openProject } from '../support/factories.ts'
import { importCommits } from '../support/repositories.ts'
import { aMember } from './a-member.ts'
import { Visitor } from './visitor.ts'

async function openShop(t: Test) {
  const world = await openProject(t)
  const { app, call, project } = world
  const suffix = anEventId().slice(0, 8)
  const visitor = new Visitor(app)
  const ann = await aMember(world, `ann-${suffix}`)
  const { body: group } = await call('POST', '/groups', { name: 'Billing', path: `billing-${suffix}` })

  await call('POST', `/projects/${project.id}/members`, { user_id: ann.id, access_level: 30 })
  await call('POST', `/projects/${project.id}/share`, { group_id: group.id, group_access: 30 })
  await visitor.signIn()
  const settings = `/projects/${project.id}/error_settings/ownership`

  return {
    ...world,
    visitor,
    ann,
    username: `ann-${suffix}`,
    group,
    settings,
    save: async (fields: Record<string, string>) => {
      await visitor.get(settings)

      return visitor.post(settings, fields)
    },
    /** The page of the new error of an event. */
    fail: async (type: string, filename: string) => {
      const stacktrace = { frames: [{ filename, function: type, in_app: true }] }

      await world.send(anEnvelope({ platform: 'node', exception: { values: [{ type, value: 'x', stacktrace }] } }))
      const errors = await world.untilStored(1)
      const { fingerprint } = errors.find(({ name }: { name: string }) => name === type)

      return `/projects/${project.id}/errors/${fingerprint}`
    }
  }
}

t.test('rules are saved, what is wrong is named and kept, and developers read them', async t => {
  const { visitor, ann, username, settings, save } = await openShop(t)
  const refused = await save({ rules: '  path:<b> @nobody\r\nfile:x @root', auto_assign: 'true' })

  t.equal(refused.statusCode, 400)
  t.ok(refused.body.includes('<li>Line 1: @nobody is no member of this project.'))
  t.ok(refused.body.includes('<li>Line 2: file: is no matcher.'))
  t.ok(refused.body.includes('path:&#60;b&#62; @nobody'), 'what was typed is kept')

  const saved = await save({ rules: `path:src/* @${username}`, auto_assign: 'true' })

  t.equal(saved.statusCode, 303)
  t.ok((await visitor.get(settings)).body.includes(`path:src/* @${username}</textarea>`))
  const read = await ann.get(settings)

  t.equal(read.statusCode, 200)
  t.ok(read.body.includes(`path:src/* @${username}</pre>`))
  t.notOk(read.body.includes('<textarea'))
  await ann.get('/')
  t.equal((await ann.post(settings, { rules: '' })).statusCode, 403)
})

t.test('the page of an error names its owner, and the rule that assigned it', async t => {
  const { visitor, username, group, save, fail, call, path } = await openShop(t)

  await save({ rules: `path:src/* @${username}\npath:src/billing/* #${group.path} @${username}`, auto_assign: 'true' })
  const page = await fail('Bill', 'src/billing/pay.ts')
  const { body } = await visitor.get(page)

  t.ok(body.includes(`assigned to <b>#${group.path}</b>`))
  t.match(body, /<strong>Tocsin<\/strong> assigned it to #billing-\w+, by the rule path:src\/billing\/\*/)
  t.notOk(body.includes('<h2>Owner</h2>'), 'one of them has it')

  await visitor.post(`${page}/assignee`, { assignee_id: '0' })
  const unassigned = (await visitor.get(page)).body

  t.ok(unassigned.includes('<h2>Owner</h2>'))
  t.ok(unassigned.includes('<code>path:src/billing/*</code>'))
  t.ok(unassigned.includes('Error unassigned.'))
  t.match(unassigned, /name="assignee_group_id" value="\d+"/, 'it can be undone')
  await visitor.post(`${page}/assignee`, { assignee_group_id: String(group.id) })
  t.ok((await visitor.get(page)).body.includes(`assigned to <b>#${group.path}</b>`))
  t.ok((await visitor.get(page.replace(/\/\d+$/, ''))).body.includes(`>#${group.path}</span>`), 'the list shows the group')
  t.equal((await call('GET', `${path}/errors`)).body[0].assignee_group_id, group.id)
})

t.test('people set the priority of one error and of many', async t => {
  const { visitor, fail, errors, project } = await openShop(t)
  const page = await fail('Bill', 'src/pay.ts')
  const list = `/projects/${project.id}/errors`
  const badge = '<span class="badge">high priority</span>'
  const id = page.split('/').at(-1)!

  t.notOk((await visitor.get(list)).body.includes(badge))
  await visitor.get(page)
  t.equal((await visitor.post(`${page}/priority`, { priority: 'high' })).statusCode, 303)
  const { body } = await visitor.get(page)

  t.ok(body.includes('Priority set to high.'))
  t.match(body, /<strong>root<\/strong> set its priority to high/)
  t.ok((await visitor.get(list)).body.includes(badge))
  t.equal((await visitor.post(`${page}/priority`, { priority: 'urgent' })).statusCode, 400)
  await visitor.get(list)
  await visitor.post(`${list}/bulk`, { change: 'prioritize', priority: 'low', id })
  t.equal((await errors())[0].priority, 'low')
  await visitor.get(list)
  await visitor.post(`${list}/bulk`, { change: 'assign_to', assign_to: 'group-0', id })
  t.equal((await errors())[0].assignee_group_id, null)
})

t.test('a CODEOWNERS file becomes rules to check, with a report of what was not taken', async t => {
  const { visitor, settings, save, platform, project, call, path } = await openShop(t)
  const convert = async (fields: Record<string, string>) => {
    await visitor.get(settings)

    return visitor.post(`${settings}/codeowners`, fields)
  }

  await save({ rules: 'path:mine @root', auto_assign: 'true' })
  const { statusCode, body } = await convert({ content: '/src/ @root\n/lib/ @ghost' })

  t.equal(statusCode, 200)
  t.ok(body.includes('1 rule from CODEOWNERS. Nothing is saved yet'))
  t.ok(body.includes('<li>Line 2: @ghost is no member of this project.'))
  t.match(body, /path:src\/\* @root\n# End of CODEOWNERS\npath:mine @root<\/textarea>/)
  t.equal((await call('GET', `${path}/ownership`)).body.rules, 'path:mine @root')
  t.equal((await convert({ content: '' })).statusCode, 400)
  t.ok((await convert({ step: 'repository' })).body.includes('The default branch has no CODEOWNERS file'))

  const author = { name: 'Ann', email: 'ann@example.com' }

  await importCommits(platform, project.id, [{ author, message: 'Add', files: { CODEOWNERS: '*.ts @root\n' } }])
  t.match((await convert({ step: 'repository' })).body, /path:\*\.ts @root\n# End of CODEOWNERS/)
})
