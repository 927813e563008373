import t, { type Test } from 'tap'
import { hasExactly } from '../support/has-exactly.ts'
import { openApp } from '../support/world.ts'
import { aMember } from './a-member.ts'

const places = {
  project: {
    create: '/projects',
    of: (id: number) => ({ api: `/projects/${id}`, page: `/projects/${id}/members`, home: `/projects/${id}` })
  },
  group: { create: '/groups', of: (id: number) => ({ api: `/groups/${id}`, page: `/groups/${id}/-/members`, home: '/groups/open' }) }
}

async function openOpenPlace(t: Test, kind: keyof typeof places) {
  const world = await openApp(t)
  const { body } = await world.call('POST', places[kind].create, { name: 'Open', path: 'open', visibility: 'internal' })
  const place = places[kind].of(body.id)
  const requests = async () => (await world.call('GET', `${place.api}/access_requests`)).body

  return { ...world, ...place, requests, ann: await aMember(world, 'ann'), ben: await aMember(world, 'ben') }
}

for (const kind of ['project', 'group'] as const) {
  t.test(`users ask for access to a ${kind} and withdraw on its page`, async t => {
    const { ann, home, page, requests } = await openOpenPlace(t, kind)

    t.match((await ann.get(home)).body, /Request access</)
    hasExactly(t, await ann.post(`${page}/requests`), { statusCode: 303, headers: { location: home } })
    hasExactly(t, await requests(), [{ username: 'ann' }])
    const { body } = await ann.get(home)
    t.match(body, /Access requested\.[\s\S]+Withdraw access request</)
    t.notMatch(body, /Request access</)
    await ann.post(`${page}/requests`)
    t.match((await ann.get(home)).body, /Has requested access already/, 'twice is once')
    t.equal((await ann.post(`${page}/requests/withdrawal`)).statusCode, 303)
    t.same(await requests(), [])
    t.equal((await ann.post(`${page}/requests/withdrawal`)).statusCode, 404)
    t.match((await ann.get(home)).body, /Request access</)
  })

  t.test(`those who manage a ${kind} approve with a role, or deny`, async t => {
    const world = await openOpenPlace(t, kind)
    const { ann, ben, api, call, home, page, requests } = world
    const cat = await aMember(world, 'cat')

    await call('POST', `${api}/members`, { user_id: cat.id, access_level: 50 })
    for (const visitor of [ann, ben]) {
      await visitor.get(home)
      await visitor.post(`${page}/requests`)
    }
    t.notMatch((await ann.get(page)).body, /Access requests|Approve/)
    t.equal((await ann.post(`${page}/requests/${ben.id}/approval`, { access_level: '10' })).statusCode, 403)
    t.equal((await ann.post(`${page}/requests/${ben.id}/denial`)).statusCode, 403)
    t.match((await cat.get(page)).body, /Access requests <span class="hint">2<[\s\S]+@ann[\s\S]+@ben/)
    t.equal((await cat.post(`${page}/requests/${ann.id}/approval`, { access_level: '31' })).statusCode, 400)
    t.hasStrict(await cat.post(`${page}/requests/${ann.id}/approval`, { access_level: '20' }), {
      statusCode: 303,
      headers: { location: page }
    })
    hasExactly(t, (await call('GET', `${api}/members/${ann.id}`)).body, { access_level: 20, expires_at: null })
    t.equal((await cat.post(`${page}/requests/${ann.id}/approval`, { access_level: '20' })).statusCode, 404)
    t.equal((await cat.post(`${page}/requests/${ben.id}/denial`)).statusCode, 303)
    t.same(await requests(), [])
    t.notMatch((await ann.get(home)).body, /Request access/, 'members have access')
  })
}
