import { runInThisContext } from 'node:vm'
import type { Test } from 'tap'
import t from 'tap'
import { resolveFrames } from '#errors/source-maps/resolve/resolve-frames.ts'
import { ScriptMap } from '#errors/source-maps/resolve/script-map.ts'
import { SourceMaps } from '#errors/source-maps/resolve/source-maps.ts'
import { anEnvelope, anEventId, openProject } from '../../support/factories.ts'
import { eventually, onBothBackends, openApp } from '../../support/world.ts'
import { aBundle, debugId, map, script, shop } from '../fixtures/bundle.ts'
import { uploader } from './uploader.ts'

/** Runs the minified script; returns the exception that it throws, with frames as SDKs parse them. */
function crash(url: string) {
  runInThisContext(script, { filename: url })
  try {
    ;(globalThis as unknown as { shopRun: () => void }).shopRun()
  } catch (error) {
    const lines = (error as Error).stack!.split('\n').filter(line => line.includes(url))
    const frames = lines.reverse().map(line => {
      const [, name, lineno, colno] = /^ +at (?:(.+) \()?.*:(\d+):(\d+)\)?$/.exec(line)!

      return {
        function: name ?? '<anonymous>',
        abs_path: url,
        filename: url,
        lineno: Number(lineno),
        colno: Number(colno),
        in_app: true
      }
    })

    return { type: (error as Error).name, value: (error as Error).message, stacktrace: { frames } }
  }

  throw new Error('the script does not throw')
}

const scriptUrl = 'https://shop.example/assets/app.js'

const aCrash = (url = scriptUrl, fields: object = {}) => ({
  event_id: anEventId(),
  platform: 'javascript',
  exception: { values: [crash(url)] },
  ...fields
})
const withDebugId = (url: string, id = debugId) => ({ debug_meta: { images: [{ type: 'sourcemap', code_file: url, debug_id: id }] } })

async function openShop(t: Test, options: Parameters<typeof openProject>[1] = {}) {
  const project = await openProject(t, options)

  await project.work('maintenance')
  const traceOf = async (fingerprint: number) =>
    (await project.call('GET', `${project.path}/errors/${fingerprint}/stack_trace`)).body.error.stack_trace_entries.toReversed()
  const payloadOf = async (fingerprint: number) =>
    JSON.parse((await project.call('GET', `${project.path}/errors/${fingerprint}/events/latest`)).body.payload)

  return { ...project, ...uploader(project.app), traceOf, payloadOf }
}

const pick = (object: Record<string, unknown>, ...names: string[]) => Object.fromEntries(names.map(name => [name, object[name]]))
const originalFrames = [
  { function: 'run', filename: 'src/main.ts', lineNo: 13 },
  { function: 'Checkout.pay', filename: 'src/main.ts', lineNo: 7 },
  { function: 'totalOf', filename: 'src/cart.ts', lineNo: 5 },
  { function: '<anonymous>', filename: 'src/cart.ts', lineNo: 5 },
  { function: 'priceOf', filename: 'src/cart.ts', lineNo: 9 }
].reverse()
const framesOf = (trace: Record<string, unknown>[]) => trace.map(frame => pick(frame, 'function', 'filename', 'lineNo'))

onBothBackends(t, 'the frames of minified code are resolved by debug id', async (t, kind) => {
  const { send, untilStored, upload, project, traceOf, payloadOf } = await openShop(t, { kind })

  t.same(await upload(aBundle(), project.id), { state: 'ok', missingChunks: [] })
  await send(anEnvelope(aCrash(scriptUrl, withDebugId(scriptUrl))))
  const [error] = await untilStored(1)
  const trace = await traceOf(error.fingerprint)

  t.equal(error.name, 'RangeError')
  t.match(error.actor, /priceOf/)
  t.same(framesOf(trace), originalFrames)
  t.same(pick(trace[0], 'colNo', 'inApp'), { colNo: 29, inApp: true })
  t.same(pick(trace[0].raw, 'function', 'filename', 'lineNo'), { function: 'i', filename: scriptUrl, lineNo: 3 })
  t.match(trace[0].context.find(([line]: [number]) => line === 9)[1], /throw new RangeError/)
  const { exception, errors } = await payloadOf(error.fingerprint)
  t.same(pick(exception.values[0].raw_stacktrace.frames.at(-1), 'function', 'abs_path'), { function: 'i', abs_path: scriptUrl })
  t.equal(errors, undefined)
})

t.test('without debug ids, a source map is found by release, distribution and URL', async t => {
  const { send, untilStored, upload, project, errors, traceOf } = await openShop(t)

  await upload(aBundle(shop({ headers: {} })), project.id, { version: 'shop@1', dist: 'web' })
  await send(anEnvelope(aCrash(undefined, { release: 'shop@1', dist: 'web' })))
  await send(anEnvelope(aCrash('https://cdn.example/assets/app.js?v=2', { release: 'shop@1', dist: 'web' })))
  const stored = await untilStored(2)
  t.equal(stored.length, 1, 'events of both origins have one group')
  t.same(framesOf(await traceOf(stored[0].fingerprint)), originalFrames)

  await send(anEnvelope(aCrash(undefined, { release: 'shop@2', dist: 'web' })))
  await send(anEnvelope(aCrash(undefined, { release: 'shop@1', dist: 'app' })))
  await untilStored(4)
  t.equal((await errors()).length, 2, 'another release or distribution is not resolved')
})

t.test('an upload of the same distribution is preferred to one without a distribution', async t => {
  const { send, untilStored, upload, project, traceOf } = await openShop(t)
  const renamed = map.replaceAll('priceOf', 'costOf_')

  await upload(aBundle(shop({ headers: {} })), project.id, { version: 'shop@1', dist: 'web' })
  await upload(aBundle(shop({ headers: {}, content: renamed })), project.id, { version: 'shop@1' })
  await send(anEnvelope(aCrash(undefined, { release: 'shop@1', dist: 'web' })))
  const [error] = await untilStored(1)
  t.equal((await traceOf(error.fingerprint))[0].function, 'priceOf')
})

t.test('an upload invalidates cached misses', async t => {
  const { send, untilStored, upload, project, errors } = await openShop(t)
  const isResolved = async () => (await errors('?query=Range')).some((error: { actor: string }) => error.actor.includes('priceOf'))

  await send(anEnvelope(aCrash(scriptUrl, withDebugId(scriptUrl))))
  await untilStored(1)
  t.equal(await isResolved(), false)
  await upload(aBundle(), project.id)
  await send(anEnvelope(aCrash(scriptUrl, withDebugId(scriptUrl))))
  await untilStored(2)
  t.equal(await isResolved(), true)
})

t.test('an event whose source map cannot be applied is stored with the reason', async t => {
  const { send, upload, project, platform, errors, payloadOf } = await openShop(t)
  const path = 'C:\\shop\\app.js'
  const url = 'C:/shop/app.js'
  const errorsOf = async (event: ReturnType<typeof aCrash>) => {
    await send(anEnvelope(event))
    const isStored = async () =>
      (await platform.pool.query('SELECT FROM error_events WHERE event_id = $1', [event.event_id])).rowCount === 1
    await eventually(isStored, 'the event is stored')
    const [{ fingerprint }] = await errors()

    return (await payloadOf(fingerprint)).errors
  }
  const tooLarge = JSON.stringify({ ...JSON.parse(map), mappings: 'AAAA,'.repeat(4_000_000) })

  await upload(aBundle(shop({ content: '{"version":3,"mappings":5' })), project.id)
  t.same(await errorsOf(aCrash(path, withDebugId(path))), [{ type: 'js_invalid_source', url, reason: 'source map is invalid' }])
  await upload(aBundle(shop({ content: tooLarge })), project.id)
  t.same(await errorsOf(aCrash(path, withDebugId(path))), [{ type: 'js_invalid_source', url, reason: 'source map too large' }])
  await upload(aBundle(), project.id)
  const outside = aCrash(path, withDebugId(path))
  for (const frame of outside.exception.values[0]!.stacktrace.frames) frame.lineno = 999_999
  t.same(await errorsOf(outside), [{ type: 'js_invalid_sourcemap_location', url }])
  t.same(await errorsOf(aCrash(path, withDebugId(path, '00000000-0000-4000-8000-000000000000'))), [{ type: 'js_no_source', url }])
  t.equal(await errorsOf(aCrash('https://elsewhere.example/app.js')), undefined, 'a script without a debug id needs no source map')
})

t.test('a project without source maps costs one query', async t => {
  const { platform } = await openApp(t)
  const maps = new SourceMaps(platform.listener)
  const event = aCrash()
  const em = platform.fork()
  let queries = 0
  const counting = new Proxy(em, {
    get: (target, name) => {
      if (name === 'getKysely') queries++
      return Reflect.get(target, name).bind(target)
    }
  })

  for (let n = 0; n < 100; n++) t.equal(await maps.resolve(counting, 1, event), event)
  t.equal(queries, 1)
  await maps.resolve(counting, 2, { ...event, platform: 'python' })
  t.equal(queries, 1, 'events of other languages cost none')
})

t.test('source maps of other bundlers are read', async t => {
  const sections = JSON.stringify({ version: 3, sections: [{ offset: { line: 10, column: 0 }, map: JSON.parse(map) }] })
  const webpack = JSON.stringify({
    ...JSON.parse(map),
    sources: ['webpack:///./node_modules/cart/index.ts', 'webpack://shop/./src/main.ts?4f3a']
  })
  const withoutSources = JSON.stringify({ ...JSON.parse(map), sourcesContent: undefined, names: [] })
  const [frame] = crash('/srv/shop/dist/app.js').stacktrace.frames.slice(-1)
  const resolve = (json: string, fields: object = {}) =>
    resolveFrames(
      [{ ...frame, ...fields }],
      () => new ScriptMap(json, script),
      () => {}
    )?.[0] as Record<string, unknown> | undefined
  const expectFrame = (resolved: Record<string, unknown> | undefined, expected: Record<string, unknown>) =>
    t.same(pick(resolved ?? {}, ...Object.keys(expected)), expected)

  expectFrame(resolve(map), { function: 'priceOf', abs_path: '/srv/shop/src/cart.ts', in_app: true })
  expectFrame(resolve(sections, { lineno: frame!.lineno + 10 }), { filename: 'src/cart.ts', lineno: 9 })
  expectFrame(resolve(webpack), { filename: 'node_modules/cart/index.ts', in_app: false })
  expectFrame(resolve(withoutSources), { function: 'i', filename: 'src/cart.ts', lineno: 9, context_line: undefined })
  expectFrame(resolve(map, { abs_path: 'D:\\shop\\dist\\app.js' }), { abs_path: 'D:/shop/src/cart.ts' })
  t.equal(resolve(map, { colno: undefined }), undefined, 'a line with several mappings needs a column')
  for (const column of [0, -5, 1e15, 'x', null]) t.doesNotThrow(() => resolve(map, { colno: column }))
})
