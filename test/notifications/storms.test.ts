import t from 'tap'
import type { Severity } from '#lib/severity.ts'
import type { Addressee } from '#notifications/deliveries/addressee.ts'
import { planDeliveries, type Window } from '#notifications/deliveries/plan-deliveries.ts'

const start = Date.parse('2026-11-23T03:00:00Z')
const at = (minutes: number) => new Date(start + minutes * 60_000)
const quiet = (): Window => ({ gathersUntil: new Date(0), hourStartsAt: new Date(0), sentInHour: 0, worst: null })

function occurrences(count: number, values: Partial<Addressee> = {}): Addressee[] {
  return Array.from({ length: count }, (_, n) => ({
    outboxId: n,
    projectId: 1,
    target: 'channel-1',
    reason: 'a rule',
    gatherMinutes: 5,
    hourlyLimit: 20,
    ...values
  }))
}

const of = (...severities: Severity[]) => severities.flatMap(severity => occurrences(1, { severity }))

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

t.test('the most severe occurrence of a batch goes out first', async t => {
  const { planned } = planDeliveries(of('info', 'low', 'medium', 'low'), quiet(), at(0))

  t.same(
    planned.map(({ addressees, sendAt }) => [addressees.map(({ severity }) => severity), sendAt]),
    [
      [['medium'], at(0)],
      [['low', 'low', 'info'], at(5)]
    ]
  )
})

t.test('an occurrence that is more severe than all that a window has sent does not wait for its end', async t => {
  const window = quiet()
  const open = { id: 1, isLimited: false }
  const sentOf = (minute: number, ...severities: Severity[]) =>
    planDeliveries(of(...severities), window, at(minute), open).planned.map(({ addressees }) => addressees[0]!.severity)

  planDeliveries(of('info', 'info'), window, at(0))
  t.same(sentOf(1, 'low', 'low'), ['low'])
  t.same(sentOf(2, 'low', 'info'), [], 'as severe as the last one')
  t.same(sentOf(3, 'medium', 'low'), ['medium'])
  t.same(window.gathersUntil, at(10), 'the window ends as before')
  t.same(planDeliveries(of('medium'), window, at(4), { id: 1, isLimited: true }).planned, [], 'except at the hourly limit')
})

t.test('what is alone waits neither for the time to gather nor for the hourly limit', async t => {
  const window = quiet()
  const limited = { id: 1, isLimited: true }

  planDeliveries(occurrences(20, { gatherMinutes: 0, severity: 'low' }), window, at(0))
  const { planned, appended } = planDeliveries(
    [...of('low', 'low'), ...occurrences(3, { isAlone: true, severity: 'critical' })],
    window,
    at(1),
    limited
  )

  t.same(
    planned.map(({ addressees, sendAt, isLimited }) => [addressees.length, sendAt, isLimited]),
    [1, 1, 1].map(length => [length, at(1), false])
  )
  t.equal(appended.length, 2)
  t.equal(window.sentInHour, 23, 'they count for the others')
})
