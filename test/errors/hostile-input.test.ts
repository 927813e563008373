import t from 'tap'
import { anEnvelope, openProject } from '../support/factories.ts'

const platforms = ['native', 'rust', 'c', 'cocoa', 'objc', 'swift', 'go', 'java', 'ruby', 'javascript']
const counts = [60, 10_000]
const longest = 10_000
const units = [
  '&',
  ' &',
  ' cons',
  't&& cons',
  '<',
  '(',
  '[',
  '{',
  '}',
  '::',
  '::{}',
  '{lambda',
  '{lambda{',
  '$_0',
  '_block_invoke',
  '@A_1',
  '+ 0',
  'operator ',
  ' -> ',
  '.func',
  '.0',
  '-fm',
  'p0.deferwra',
  '0$',
  '$0',
  '$$Lambda',
  '__',
  '__1_',
  'block in ',
  ' \t'
]

/** An event whose frames and message end in a way that makes a pattern try again from everywhere. */
function anEventOf(unit: string, count: number, platform: string) {
  const text = `a${unit.repeat(count).slice(0, longest)}\u0000!`
  const frames = [
    { function: text, module: text, filename: text },
    { function: 'main', filename: 'main' }
  ]

  return anEnvelope({ platform, message: text, exception: { values: [{ type: 'Hostile', value: text, stacktrace: { frames } }] } })
}

t.test('events with hostile names and messages are grouped and stored, on every platform', async t => {
  const { send, untilStored } = await openProject(t)
  const bodies = units.flatMap((unit, n) => counts.map(count => anEventOf(unit, count, platforms[n % platforms.length]!)))

  bodies.push(...platforms.map(platform => anEventOf('&', 60, platform)))
  for (const body of bodies) t.equal((await send(body)).statusCode, 200)

  await untilStored(bodies.length)
})
