import t, { type Test } from 'tap'
import { openMarkableGroup } from '../projects/marking.ts'
import { aMember } from './a-member.ts'
import { Visitor } from './visitor.ts'

const dayMs = 86_400_000
const day = (time: number) =>
  new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

async function openSettings(t: Test) {
  const world = await openMarkableGroup(t)
  const { app, top, sub, upper, lower } = world
  const root = new Visitor(app)
  const settingsOf = {
    top: `/groups/${top.id}/-/settings`,
    sub: `/groups/${sub.id}/-/settings`,
    upper: `/projects/${upper.id}/settings`,
    lower: `/projects/${lower.id}/settings`
  }

  await root.signIn()
  await root.get('/-/profile')

  return { ...world, root, settingsOf }
}

function problemsOf(body: string) {
  return [...body.matchAll(/<p class="(?:error|problem)" (?:role|id)[^>]*>([^<]+)</g)].map(([, text]) => text)
}

t.test('a project and a group are marked for deletion, restored, and deleted at once by those who enter the path', async t => {
  const { root, call, top, upper, settingsOf } = await openSettings(t)

  for (const [url, rest, path, id, name] of [
    [settingsOf.upper, `/projects/${upper.id}`, 'top/upper', upper.id, 'Upper'],
    [settingsOf.top, `/groups/${top.id}`, 'top', top.id, 'Top']
  ] as const) {
    const markedPath = `${path}-deletion_scheduled-${id}`

    t.match((await root.get(url)).body, /after 7 days\. Until then it can be restored\./)
    t.hasStrict(await root.post(`${url}/deletion`, { full_path: path }), { statusCode: 303, headers: { location: url } })
    const { body } = await root.get(url)
    t.match(body, /Deletion scheduled\.[\s\S]+will be deleted on <time/)
    t.match(body, `>${day(Date.now() + 7 * dayMs)}</time>`)
    t.notMatch(body, /Archive the|Transfer|Change the path|>Save</)
    t.same(problemsOf((await root.post(`${url}/deletion`, { full_path: path })).body), [`Enter the path ${markedPath} to confirm.`])
    t.hasStrict(await root.post(`${url}/restore`), { statusCode: 303, headers: { location: url } })
    t.match((await root.get(url)).body, /Restored\.[\s\S]+>Save</)
    t.same(problemsOf((await root.post(`${url}/restore`)).body), [
      `${name === 'Top' ? 'Group' : 'Project'} has not been marked for deletion.`
    ])
    await root.post(`${url}/deletion`, { full_path: path })
    t.hasStrict(await root.post(`${url}/deletion`, { full_path: markedPath }), { statusCode: 303, headers: { location: '/projects' } })
    t.match(
      (await root.get('/projects')).body,
      `${name} was deleted. Its data is being deleted in the background. <a href="#tasks">Progress</a>`
    )
    t.equal((await call('GET', rest)).status, 404)
  }
})

t.test('the pages of what is marked say so, and lists show it', async t => {
  const { root, call, top, sub, lower, upper, settingsOf } = await openSettings(t)

  await call('DELETE', `/groups/${sub.id}`)
  const { body } = await root.get(`/projects/${lower.id}/members`)
  t.match(
    body,
    /<span class="badge">marked for deletion<\/span>[\s\S]+This project was marked for deletion on <time[\s\S]+Restore or delete it</
  )
  t.match((await root.get(settingsOf.lower)).body, /will be deleted on <time[\s\S]+with its group, and can only be restored with it/)
  t.notMatch((await root.get(settingsOf.lower)).body, /Restore the project/)
  t.match((await root.get(`/groups/top/sub-deletion_scheduled-${sub.id}`)).body, /This group was marked for deletion on/)
  const list = (await root.get('/projects')).body

  t.match(
    list,
    /<strong>Lower<\/strong><\/a> <span class="path">[^<]+<\/span><\/p>\s+<p class="hint"><span class="badge bad">marked for deletion/
  )
  t.match(list, /<strong>Sub<\/strong><\/a> <span class="badge bad">marked for deletion/)
  t.match(list, /<strong>Upper<\/strong><\/a> <span class="path">[^<]+<\/span><\/p>\s+<\/li>/)
  t.match((await root.get('/groups/top')).body, /<strong>Sub<\/strong><\/a> <span class="badge bad">marked for deletion/)
  t.notMatch((await root.get(`/projects/${upper.id}/members`)).body, /marked for deletion/)
  t.notMatch((await root.get('/groups/-/new')).body, /deletion_scheduled/, 'it is not offered as a parent')
  t.match(await root.post(`/projects/${lower.id}/members`, {}), { statusCode: 403, body: /the project is marked for deletion\./ })
  t.match(await root.post(settingsOf.sub, { name: 'N' }), { statusCode: 403, body: /the group is marked for deletion\./ })
  t.equal((await root.get(`/groups/${top.id}/-/members`)).statusCode, 200)
})

t.test('members see that a project is marked, and only owners restore it on its page', async t => {
  const world = await openSettings(t)
  const { call, upper, settingsOf } = world
  const ann = await aMember(world, 'ann')

  await call('POST', `/projects/${upper.id}/members`, { user_id: ann.id, access_level: 40 })
  await call('DELETE', `/projects/${upper.id}`)
  const { body } = await ann.get(`/projects/${upper.id}/members`)

  t.match(body, /This project was marked for deletion on/)
  t.notMatch(body, /Restore or delete it/)
  t.notMatch((await ann.get(settingsOf.upper)).body, /Restore the project|Delete…/)
  t.equal((await ann.post(`${settingsOf.upper}/restore`)).statusCode, 403)
  t.equal((await call('GET', `/projects/${upper.id}`)).body.archived, false)
})
