import { execFileSync } from 'node:child_process'
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import t from 'tap'
import { dayMs, releaseAt, seeded } from '#demo/shop.ts'
import { artifactBundle, buildStorefront } from '#demo/storefront.ts'
import { storefrontReleases } from '#demo/storefront-sources.ts'
import { eventOf, stories } from '#demo/stories.ts'

const remote = t.testdir()
const git = (...args: string[]) => execFileSync('git', args, { cwd: remote, encoding: 'utf8' }).trim()

git('init', '--quiet', '--bare')
const now = Date.now()
const builds = await buildStorefront(remote, process.env.PATH!, now)

t.test('the releases of the storefront are commits of their days', async t => {
  t.same(git('tag').split('\n'), ['v2.4.0', 'v2.5.0', 'v2.6.0'])
  const ages = git('log', '--format=%ct', 'main')
    .split('\n')
    .map(seconds => Math.round((now / 1000 - Number(seconds)) / 86_400))

  t.same(ages, [4, 15, 27])
  t.equal(git('rev-parse', 'main'), builds[2]!.commit)
})

t.test('every frame of the storefront is a place in the sources of its release', async t => {
  const random = seeded(1)
  let count = 0

  for (const story of stories.filter(({ project }) => project === 'storefront')) {
    for (const daysAgo of [story.since - 0.01, story.until + 0.01].map(days => Math.max(days, 0))) {
      const event = eventOf(story, now - daysAgo * dayMs, random, builds) as unknown as StorefrontEvent
      const { index } = releaseAt('storefront', daysAgo)
      const { map, url } = builds[index]!

      for (const { filename, lineno, colno } of event.exception.values[0]!.stacktrace.frames) {
        const { source, line } = originalPositionFor(new TraceMap(map), { line: lineno, column: colno - 1 })
        const file = storefrontReleases[index]!.files[source!.replace('webpack:///', '')]

        t.equal(filename, url)
        t.ok(file && line && file.split('\n')[line - 1]!.trim(), `${event.exception.values[0]!.type}: ${source}:${line}`)
        count++
      }
    }
  }
  t.ok(count > 20)
})

t.test('source maps are uploaded as a zip file', async t => {
  const bundle = artifactBundle(builds[0]!)

  t.equal(bundle.subarray(0, 2).toString(), 'PK')
  t.match(bundle.toString('latin1'), 'files/_/_/main-240.js.map')
})

t.test('the shop is the same each time', async t => {
  const [one, other] = [seeded(7), seeded(7)]

  t.same(
    Array.from({ length: 5 }, () => one()),
    Array.from({ length: 5 }, () => other())
  )
})

interface StorefrontEvent {
  exception: { values: { type: string; stacktrace: { frames: { filename: string; lineno: number; colno: number }[] } }[] }
}
