import { runInThisContext } from 'node:vm'
import type { Test } from 'tap'
import t from 'tap'
import { resolveFrames } from '../../../src/error-tracking/source-maps/resolve/resolve-frames.ts'
import { ScriptMap } from '../../../src/error-tracking/source-maps/resolve/script-map.ts'
import { sourceMapsOf } from '../../../src/error-tracking/source-maps/resolve/source-maps.ts'
import { anEnvelope, anEventId, aProject } from '../../support/factories.ts'
import { eventually, onBothBackends, openApp } from '../../support/world.ts'
import { aBundle, debugId, map, script, shop } from '../fixtures/bundle.ts'
import { uploader } from './uploader.ts'

/** What the shop really throws, its frames as SDKs read them off the stack. */
function crash(address: string) {
  runInThisContext(script, { filename: address })
  try {
    ;(globalThis as unknown as { shopRun: () => void }).shopRun()
  } catch (error) {
    const lines = (error as Error).stack!.split('\n').filter(line => line.includes(address))
    const frames = lines.reverse().map(line => {
      const [, name, lineno, colno] = /^ +at (?:(.+) \()?.*:(\d+):(\d+)\)?$/.exec(line)!

      return {
        function: name ?? '<anonymous>',
        abs_path: address,
        filename: address,
        lineno: Number(lineno),
        colno: Number(colno),
        in_app: true
      }
    })

    return { type: (error as Error).name, value: (error as Error).message, stacktrace: { frames } }
  }

  throw new Error('the shop is sound')
}

const aCrash = (address = 'https://shop.example/assets/app.js', more: object = {}) => ({
  event_id: anEventId(),
  platform: 'javascript',
  exception: { values: [crash(address)] },
  ...more
})
const withDebugId = (address: string) => ({ debug_meta: { images: [{ type: 'sourcemap', code_file: address, debug_id: debugId }] } })

async function aShop(t: Test, options: Parameters<typeof aProject>[1] = {}) {
  const project = await aProject(t, options)

  await project.work('maintenance')
  const traceOf = async (fingerprint: number) =>
    (await project.call('GET', `${project.path}/errors/${fingerprint}/stack_trace`)).body.error.stack_trace_entries
  const payloadOf = async (fingerprint: number) =>
    JSON.parse((await project.call('GET', `${project.path}/errors/${fingerprint}/events/latest`)).body.payload)

  return { ...project, ...uploader(project.app), traceOf, payloadOf }
}

const asWritten = [
  { function: 'priceOf', filename: 'src/cart.ts', lineNo: 9, colNo: 29, inApp: true, raw: { function: 'i', lineNo: 3 } },
  { function: '<anonymous>', filename: 'src/cart.ts', lineNo: 5 },
  { function: 'totalOf', filename: 'src/cart.ts', lineNo: 5, raw: { function: 'n' } },
  { function: 'Checkout.pay', filename: 'src/main.ts', lineNo: 7, raw: { function: 't.pay' } },
  { function: 'run', filename: 'src/main.ts', lineNo: 13, raw: { function: 'o', filename: 'https://shop.example/assets/app.js' } }
]

onBothBackends(t, 'an event of minified code is shown as it was written', async (t, kind) => {
  const { send, untilStored, upload, project, traceOf, payloadOf } = await aShop(t, { kind })
  const address = 'https://shop.example/assets/app.js'

  t.match(await upload(aBundle(), project.id), { state: 'ok' })
  await send(anEnvelope(aCrash(address, withDebugId(address))))
  const [error] = await untilStored(1)
  const trace = await traceOf(error.fingerprint)

  t.match(error, { name: 'RangeError', actor: /cart.*priceOf|priceOf/ })
  t.match(trace, asWritten)
  t.match(trace[0].context.find(([line]: [number]) => line === 9)[1], /throw new RangeError/)
  const { exception, errors } = await payloadOf(error.fingerprint)
  t.match(exception.values[0].raw_stacktrace.frames.at(-1), { function: 'i', abs_path: address })
  t.equal(errors, undefined)
})

t.test('without debug ids, the release and the address tell the map', async t => {
  const { send, untilStored, upload, project, errors, traceOf } = await aShop(t)

  await upload(aBundle(shop({ headers: {} })), project.id, { version: 'shop@1', dist: 'web' })
  await send(anEnvelope(aCrash(undefined, { release: 'shop@1', dist: 'web' })))
  await send(anEnvelope(aCrash('https://cdn.example/assets/app.js?v=2', { release: 'shop@1', dist: 'web' })))
  const [error, ...others] = await untilStored(2)
  t.same(others, [], 'wherever it was served from, it is the same problem')
  t.match(
    await traceOf(error.fingerprint),
    asWritten.map(({ raw: _, ...frame }) => frame)
  )

  await send(anEnvelope(aCrash(undefined, { release: 'shop@2', dist: 'web' })))
  await send(anEnvelope(aCrash(undefined, { release: 'shop@1', dist: 'app' })))
  await untilStored(4)
  t.equal((await errors()).length, 2, 'another release, or another build of it, has other maps')
})

t.test('a map that comes while events arrive serves from then on', async t => {
  const { send, untilStored, upload, project, errors } = await aShop(t)
  const address = 'https://shop.example/assets/app.js'
  const isResolved = async () => (await errors('?query=Range')).some((error: { actor: string }) => error.actor.includes('priceOf'))

  await send(anEnvelope(aCrash(address, withDebugId(address))))
  await untilStored(1)
  t.notOk(await isResolved())
  await upload(aBundle(), project.id)
  await send(anEnvelope(aCrash(address, withDebugId(address))))
  await untilStored(2)
  t.ok(await isResolved(), 'though it was remembered that there were none')
})

t.test('a map that cannot serve is noted, and the event stored all the same', async t => {
  const { send, upload, project, platform, errors, payloadOf } = await aShop(t)
  const address = 'C:\\shop\\app.js'
  const note = async (event: ReturnType<typeof aCrash>) => {
    await send(anEnvelope(event))
    const isStored = async () =>
      (await platform.pool.query('SELECT FROM error_events WHERE event_id = $1', [event.event_id])).rowCount === 1
    await eventually(isStored, 'it is stored')
    const [{ fingerprint }] = await errors()

    return (await payloadOf(fingerprint)).errors
  }
  const noted = [{ url: 'C:/shop/app.js' }]

  await upload(aBundle(shop({ content: '{"version":3,"mappings":5' })), project.id)
  t.match(await note(aCrash(address, withDebugId(address))), [{ ...noted[0], type: 'js_invalid_source' }])
  await upload(aBundle(shop({ content: JSON.stringify({ ...JSON.parse(map), mappings: 'AAAA,'.repeat(4_000_000) }) })), project.id)
  t.match(await note(aCrash(address, withDebugId(address))), [{ ...noted[0], type: 'js_invalid_source', reason: 'source map too large' }])
  await upload(aBundle(), project.id)
  const beyond = aCrash(address, withDebugId(address))
  for (const frame of beyond.exception.values[0]!.stacktrace.frames) frame.lineno = 999_999
  t.match(await note(beyond), [{ ...noted[0], type: 'js_invalid_sourcemap_location' }])
  const unknown = withDebugId(address)
  unknown.debug_meta.images[0]!.debug_id = '00000000-0000-4000-8000-000000000000'
  t.match(await note(aCrash(address, unknown)), [{ ...noted[0], type: 'js_no_source' }])
  t.equal(await note(aCrash('https://elsewhere.example/app.js')), undefined, 'where none was expected, none is missed')
})

t.test('a project without maps costs no query', async t => {
  const { platform } = await openApp(t)
  const maps = sourceMapsOf(platform.listener)
  const event = aCrash()
  const em = platform.fork()
  let queries = 0
  const counting = new Proxy(em, {
    get: (target, name) => {
      if (name === 'isInTransaction') queries++
      return Reflect.get(target, name).bind(target)
    }
  })

  for (let n = 0; n < 100; n++) t.equal(await maps.resolve(counting, 1, event), event)
  t.equal(queries, 1, 'one asks, and it is remembered')
  await maps.resolve(counting, 2, { ...event, platform: 'python' })
  t.equal(queries, 1, 'and other languages are not asked for at all')
})

t.test('maps of many makes are read', async t => {
  const sections = JSON.stringify({ version: 3, sections: [{ offset: { line: 10, column: 0 }, map: JSON.parse(map) }] })
  const webpack = JSON.stringify({
    ...JSON.parse(map),
    sources: ['webpack:///./node_modules/cart/index.ts', 'webpack://shop/./src/main.ts?4f3a']
  })
  const bare = JSON.stringify({ ...JSON.parse(map), sourcesContent: undefined, names: [] })
  const [frame] = crash('/srv/shop/dist/app.js').stacktrace.frames.slice(-1)
  const resolve = (json: string, more: object = {}) =>
    resolveFrames(
      [{ ...frame, ...more }],
      () => new ScriptMap(json, script),
      () => {}
    )?.[0]

  t.match(resolve(map), { function: 'priceOf', abs_path: '/srv/shop/src/cart.ts', in_app: true })
  t.match(resolve(sections, { lineno: frame!.lineno + 10 }), { filename: 'src/cart.ts', lineno: 9 })
  t.match(resolve(webpack), { filename: 'node_modules/cart/index.ts', in_app: false })
  t.match(resolve(bare), { function: 'i', filename: 'src/cart.ts', lineno: 9, context_line: undefined })
  t.equal(resolve(map, { colno: undefined }), undefined, 'a column is needed where a line holds many')
  t.match(resolve(map, { abs_path: 'D:\\shop\\dist\\app.js' }), { abs_path: 'D:/shop/src/cart.ts' })
  for (const column of [0, -5, 1e15, 'x', null]) t.doesNotThrow(() => resolve(map, { colno: column }))
})
