import t, { type Test } from 'tap'
import { anEnvelope, anEventId, anException, openProject } from '../support/factories.ts'
import { eventually } from '../support/world.ts'
import { aMember } from './a-member.ts'
import { Visitor } from './visitor.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

async function openFeedback(t: Test) {
  const world = await openProject(t)
  const { app, send, platform, project } = world
  const visitor = new Visitor(app)
  const url = `/projects/${project.id}/feedback`

  await visitor.signIn()

  return {
    ...world,
    visitor,
    url,
    page: async (query = '') => (await visitor.get(`${url}${query}`)).body,
    /** As the feedback widget of the browser SDK sends it, with a screenshot. */
    give: (message: string, more: object = {}, files: [name: string, content: Buffer][] = []) => {
      const id = anEventId()
      const event = JSON.stringify({
        event_id: id,
        type: 'feedback',
        release: 'shop@1.0.0',
        environment: 'production',
        contexts: { feedback: { message, contact_email: 'ann@example.com', name: 'Ann', url: 'https://shop.example/cart', ...more } }
      })
      const parts = files.map(([name, content]) => [
        `{"type":"attachment","length":${content.length},"filename":"${name}"}\n`,
        content,
        '\n'
      ])

      return send(Buffer.concat([`{"event_id":"${id}"}\n{"type":"feedback"}\n${event}\n`, ...parts.flat()].map(part => Buffer.from(part))))
    },
    untilGiven: (count: number) =>
      eventually(
        async () => (await platform.pool.query('SELECT FROM error_feedback WHERE project_id = $1', [project.id])).rows.length === count,
        `${count} messages are stored`
      )
  }
}

t.test('feedback without an error is shown, with its screenshot, and can be answered', async t => {
  const { give, untilGiven, page, visitor } = await openFeedback(t)

  await give('The cart is <b>empty</b>', {}, [
    ['screen.png', png],
    ['log.txt', Buffer.from('one')]
  ])
  await untilGiven(1)
  const body = await page()

  t.match(body, /<strong>Ann<\/strong>[\s\S]+The cart is &#60;b&#62;empty/)
  t.match(body, /href="mailto:ann@example\.com"/)
  t.match(body, /https:\/\/shop\.example\/cart[\s\S]+shop@1\.0\.0[\s\S]+production/)
  const [, image] = /<img src="([^"]+)" alt="screen\.png"/.exec(body)!
  const [, log] = /<a href="([^"]+)" download>log\.txt/.exec(body)!
  const shown = await visitor.get(image!)

  t.hasStrict(shown.headers, { 'content-type': 'image/png', 'content-security-policy': "default-src 'none'; sandbox" })
  t.match((await visitor.get(log!)).headers['content-disposition'], /^attachment/)
  t.equal((await visitor.get(image!.replace(/\d+$/, '99999'))).statusCode, 404)
})

t.test('feedback on an error leads to it', async t => {
  const { give, send, untilStored, untilGiven, page } = await openFeedback(t)
  const id = anEventId()

  await send(anEnvelope({ ...anException(), event_id: id }))
  await untilStored(1)
  await give('It broke', { associated_event_id: id })
  await untilGiven(1)
  t.match(await page(), new RegExp(`/errors/\\d+/events/${id}">Error</a>`))
})

t.test('feedback is resolved, marked as spam, reopened and assigned', async t => {
  const { give, untilGiven, page, visitor, url, platform } = await openFeedback(t)
  const row = async () => (await platform.pool.query('SELECT id, status, assignee_id FROM error_feedback')).rows[0]

  await give('One')
  await untilGiven(1)
  await page()
  const { id } = await row()
  const change = (fields: Record<string, string>) => visitor.post(`${url}/${id}`, fields)

  t.equal((await change({ status: 'resolved', from: 'open' })).headers.location, url)
  t.match(await page(), /Feedback resolved\.[\s\S]+Open 0[\s\S]+Resolved 1[\s\S]+No open feedback/)
  t.equal((await change({ status: 'open', from: 'resolved' })).headers.location, `${url}?status=resolved`)
  await change({ status: 'spam' })
  t.match(await page('?status=spam'), 'One')
  await change({ assignee: '1' })
  t.hasStrict(await row(), { status: 'spam', assignee_id: 1 })
  await change({ assignee: '0' })
  t.hasStrict(await row(), { assignee_id: null })
  t.match(await page(), 'Feedback unassigned.')
  for (const [name, value] of ['assignee 4711', 'assignee x', 'status lost', 'other 1'].map(field => field.split(' ')))
    t.equal((await change({ [name!]: value! })).statusCode, 400)
  t.hasStrict(await row(), { status: 'spam', assignee_id: null }, 'only to members')
  t.equal((await visitor.post(`${url}/999999`, { status: 'resolved' })).statusCode, 404)
})

t.test('reporters and strangers do not see feedback', async t => {
  const world = await openFeedback(t)
  const [reporter, stranger] = [await aMember(world, 'rita'), await aMember(world, 'eve')]

  await world.call('POST', `/projects/${world.project.id}/members`, { user_id: reporter.id, access_level: 20 })
  t.same(
    [await reporter.get(world.url), await stranger.get(world.url)].map(({ statusCode }) => statusCode),
    [403, 404]
  )
})

t.test('a rule notifies about feedback', async t => {
  const { give, untilGiven, call, project, platform } = await openFeedback(t)
  const { body: channel } = await call('POST', `/projects/${project.id}/notification_channels`, {
    name: 'Hook',
    kind: 'webhook',
    settings: { url: 'https://hooks.example/x' }
  })

  await call('POST', `/projects/${project.id}/notification_rules`, {
    name: 'Feedback',
    triggers: ['feedback.new'],
    channel_ids: [channel.id]
  })
  await give('Hello')
  await untilGiven(1)
  const { rows } = await platform.pool.query(`SELECT kind, subject_id FROM outbox WHERE kind = 'feedback.new'`)

  t.equal(rows.length, 1)
})
