import t from 'tap'
import type { Addressee } from '../../src/notifications/deliveries/addressee.ts'
import { planDeliveries, type Window } from '../../src/notifications/deliveries/plan-deliveries.ts'

const start = Date.parse('2026-11-23T03:00:00Z')
const at = (minutes: number) => new Date(start + minutes * 60_000)
const quiet = (): Window => ({ gathersUntil: new Date(0), hourStartsAt: new Date(0), sentInHour: 0 })

function occurrences(count: number, { gatherMinutes = 5, hourlyLimit = 20 } = {}): Addressee[] {
  return Array.from({ length: count }, (_, n) => ({
    outboxId: n,
    projectId: 1,
    target: 'channel-1',
    reason: 'a rule',
    gatherMinutes,
    hourlyLimit
  }))
}

t.test('the first occurrence goes out at once, and the others of the batch together', async t => {
  const { planned } = planDeliveries(occurrences(7), quiet(), at(0))

  t.same(
    planned.map(({ addressees, sendAt, isLimited }) => [addressees.length, sendAt, isLimited]),
    [
      [1, at(0), false],
      [6, at(5), false]
    ]
  )
})

t.test('a storm of an hour stays below the limit, and loses nothing', async t => {
  const window = quiet()
  const planned = []

  // Every minute: a delivery that waits gathers what comes, as the dispatcher does.
  for (let minute = 0, opensUntil = new Date(0); minute < 60; minute++) {
    if (opensUntil > at(minute)) planned.at(-1)!.addressees.push(...occurrences(100))
    else planned.push(...planDeliveries(occurrences(100, { hourlyLimit: 6 }), window, at(minute)).planned)
    opensUntil = planned.at(-1)!.sendAt
  }

  t.equal(planned.filter(({ sendAt }) => sendAt < at(60)).length, 6)
  t.equal(planned.at(-1)!.isLimited, true)
  t.same(planned.at(-1)!.sendAt, at(60))
  t.equal(
    planned.reduce((sum, { addressees }) => sum + addressees.length, 0),
    6000
  )
})

t.test('without a time to gather, each is a message until the limit is reached', async t => {
  const window = quiet()
  const { planned } = planDeliveries(occurrences(50, { gatherMinutes: 0, hourlyLimit: 10 }), window, at(0))

  t.equal(planned.length, 11)
  t.same([planned.at(-1)!.addressees.length, planned.at(-1)!.sendAt, planned.at(-1)!.isLimited], [40, at(60), true])
})

t.test('after a quiet time, the next occurrence goes out at once again', async t => {
  const window = quiet()

  planDeliveries(occurrences(1), window, at(0))
  t.same(planDeliveries(occurrences(1), window, at(2)).planned[0]!.sendAt, at(5))
  t.same(planDeliveries(occurrences(1), window, at(30)).planned[0]!.sendAt, at(30))
})

t.test('what is not gathered does not wait for what is, until the limit is reached', async t => {
  const window = quiet()

  planDeliveries(occurrences(2), window, at(0))
  const prompt = (count: number, isLimited = false) =>
    planDeliveries(occurrences(count, { gatherMinutes: 0 }), window, at(1), { id: 1, isLimited })

  t.same(
    prompt(2).planned.map(({ sendAt }) => sendAt),
    [at(1), at(1)]
  )
  const { planned, appended } = prompt(30)

  t.same([planned.length, appended.length], [16, 14], 'four were sent before')
  t.same(prompt(1, true).planned, [])
})

t.test('what closes an incident at the receiver is not limited', async t => {
  const window = quiet()
  const limited = occurrences(3, { gatherMinutes: 0, hourlyLimit: 1 })
  const { planned, appended } = planDeliveries(
    [...limited, ...occurrences(2, { gatherMinutes: 0, hourlyLimit: Number.POSITIVE_INFINITY })],
    window,
    at(0),
    { id: 1, isLimited: true }
  )

  t.same([planned.length, appended.length], [2, 3])
  t.equal(window.sentInHour, 0)
})
