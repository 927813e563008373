import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { eventually, openApp, type WorldOptions } from './world.ts'

export interface EventLike {
  event_id?: string
  message?: string
  [member: string]: unknown
}

export function anEventId() {
  return randomUUID().replaceAll('-', '')
}

/** An envelope around one event, as the SDKs write it. */
export function anEnvelope(
  event: EventLike = { message: 'boom' },
  header: Record<string, unknown> = { event_id: event.event_id ?? anEventId() }
) {
  const payload = JSON.stringify(event)

  return `${JSON.stringify(header)}\n{"type":"event","length":${Buffer.byteLength(payload)}}\n${payload}\n`
}

/** An exception with frames of our own, which is what groups are made of. */
export function anException(type = 'TypeError', value = 'it broke', functions = ['main', 'inner']) {
  const frames = functions.map(name => ({ function: name, module: 'app.shop', filename: 'shop.js', in_app: true }))

  return { platform: 'node', exception: { values: [{ type, value, stacktrace: { frames } }] } }
}

/** A project that takes in errors, with a worker at work, and the means to send and to read. */
export async function openProject(t: Test, options: WorldOptions = {}) {
  const { app, call, work, platform, config } = await openApp(t, options)
  const { body: project } = await call('POST', '/projects', { name: `Shop ${anEventId().slice(0, 6)}` })
  const path = `/projects/${project.id}/error_tracking`

  await call('PUT', `${path}/settings`, { active: true, integrated: true })
  const { body: key } = await call('POST', `${path}/client_keys`)
  const intake = `/errortracking/api/v1/projects/api/${project.id}/envelope/`
  const worker = await work('errors')

  const send = (payload: string | Buffer, headers: Record<string, string> = {}, url = `${intake}?sentry_key=${key.public_key}`) =>
    app.inject({ method: 'POST', url, payload, headers })
  const errors = async (query = '') => (await call('GET', `${path}/errors${query}`)).body
  const count = async () =>
    (await errors('?per_page=100')).reduce((sum: number, error: { event_count: number }) => sum + error.event_count, 0)

  return {
    app,
    call,
    work,
    worker,
    platform,
    config,
    project,
    key,
    path,
    intake,
    send,
    errors,
    /** Resolves with the errors once so many events are stored. */
    untilStored: (events: number) =>
      eventually(async () => (await count()) >= events && errors('?per_page=100'), `${events} events are stored`),
    count
  }
}
