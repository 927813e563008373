import t from 'tap'
import { barChart } from '#pages/charts/bar-chart.ts'
import { lineChart } from '#pages/charts/line-chart.ts'
import { sparkline } from '#pages/charts/sparkline.ts'
import { writeTimes } from '#pages/layout/time.ts'

const times = [0, 1, 2, 3].map(hour => new Date(Date.UTC(2026, 10, 22, hour)))

t.test('a bar chart draws a bar for each value, and lists the values in a table', async t => {
  const chart = String(barChart({ title: 'Events', times, form: 'hour', series: [{ name: 'events', values: [0, 5, 10, 20_000] }] }))

  t.match(chart, /role="img" aria-label="Events. events: 0 to 20K, last 20K"/)
  t.equal(chart.match(/<rect class="tone-0"/g)?.length, 3)
  t.match(chart, /<rect class="tone-0" x="77.5%" width="20%" y="0%" height="100%"\/>/)
  t.match(writeTimes(chart, 'UTC'), /<title data-at="2026-11-22T02:00:00.000Z">Sun,? 02:00: events 10<\/title>/)
  t.match(writeTimes(chart, 'Asia/Tokyo'), /<th scope="row"><time [^>]+>Sun,? 11:00<\/time><\/th><td>10<\/td>/)
  t.notMatch(chart, / style=/, 'the CSP allows no inline styles')
})

t.test('the bars of several series are stacked', async t => {
  const series = [
    { name: 'stored', values: [3, 0, 0, 0] },
    { name: 'dropped', values: [1, 0, 0, 0] }
  ]
  const chart = String(barChart({ title: 'Intake', times, form: 'hour', series }))

  t.match(chart, /class="tone-0"[^>]+y="25%" height="75%"\/><rect class="tone-1"[^>]+y="0%" height="25%"\/>/)
  t.match(chart, /<i class="swatch tone-1"><\/i>dropped/)
})

t.test('a line is interrupted where there is no data', async t => {
  const series = [{ name: 'crash-free', values: [100, undefined, 95, 90] }]
  const chart = String(
    lineChart({ title: 'Crash-free sessions', times, form: 'hour', series, bottom: 90, top: 100, write: value => `${value} %` })
  )

  t.match(chart, / d="M0.25 0h.5M2.5 50L3.5 100"/)
  t.match(chart, /<td>no data<\/td>/)
  t.match(chart, /class="bottom-value" aria-hidden="true">90 %</, 'the bottom is not 0')
  t.match(chart, /aria-label="Crash-free sessions. crash-free: 90 % to 100 %, last 90 %"/)
})

t.test('a release is marked where it happened, and its name is escaped', async t => {
  const marks = [
    { at: new Date(Date.UTC(2026, 10, 22, 1)), name: '<b>1.0', url: '/releases/1' },
    { at: new Date(Date.UTC(2026, 10, 23)), name: 'later' }
  ]
  const chart = String(barChart({ title: 'Events', times, form: 'hour', series: [{ name: 'events', values: [1, 1, 1, 1] }], marks }))

  t.match(chart, /<line class="mark" x1="25%" x2="25%"/)
  t.match(chart, /<a href="\/releases\/1">&#60;b&#62;1.0<\/a>/)
  t.notMatch(chart, /later/, 'a mark outside the chart is left out')
})

t.test('a sparkline says its total and peak, and shows the smallest value', async t => {
  const chart = String(sparkline([0, 1, 1000], '24 hours'))

  t.match(chart, /role="img" aria-label="24 hours: 1,001 in total, at most 1,000 at a time"/)
  t.match(chart, /d="M4 20V18.5h3V20zM8 20V0h3V20z"/)
  t.ok(String(sparkline(Array(24).fill(7), '24 hours')).length < 800, 'a list of 25 stays small')
})
