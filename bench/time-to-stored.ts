import { setTimeout as sleep } from 'node:timers/promises'
import type { EnvelopeMaker } from './envelopes.ts'
import { load, post } from './load.ts'
import type { System } from './system.ts'

export interface Project {
  id: number
  path: string
}

interface Sending {
  projects: Project[]
  maker: EnvelopeMaker
  /** Events per second of all projects together. */
  rate: number
  seconds?: number
  isOver?: () => boolean
  onStored?: (ms: number) => void
}

/** Sends events to the projects in turns; returns the milliseconds from each request until its event was in the database. */
export async function timeToStored(system: System, { projects, maker, rate, seconds = Infinity, isOver, onStored = () => {} }: Sending) {
  const waiting = new Map<string, number>()
  const times: number[] = []
  let sent = 0
  let isSending = true
  const request = () => {
    const { id, body } = maker.next()
    const at = performance.now()

    return { bytes: post(projects[sent++ % projects.length]!.path, body), ok: () => void waiting.set(id, at) }
  }
  const sending = load({ port: system.port, connections: 10, seconds, rate, request, isOver }).finally(() => {
    isSending = false
  })

  while (isSending || waiting.size > 0) {
    for (const id of await storedOf(system, projects, [...waiting.keys()])) {
      times.push(performance.now() - waiting.get(id)!)
      onStored(times.at(-1)!)
      waiting.delete(id)
    }
    await sleep(5)
  }
  await sending

  return times
}

async function storedOf({ db }: System, projects: Project[], ids: string[]) {
  if (ids.length === 0) return []
  const { rows } = await db.query('SELECT event_id FROM error_events WHERE project_id = ANY($1) AND event_id = ANY($2::uuid[])', [
    projects.map(({ id }) => id),
    ids
  ])

  return rows.map(({ event_id }) => String(event_id).replaceAll('-', ''))
}

export async function createProject(system: System, name: string): Promise<Project> {
  const call = async (method: string, path: string, body: object = {}) => {
    const response = await fetch(`http://127.0.0.1:${system.port}/api/v4${path}`, {
      method,
      headers: { 'private-token': system.token, 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })

    return response.json() as Promise<{ id: number; public_key: string }>
  }
  const { id } = await call('POST', '/projects', { name })

  await call('PUT', `/projects/${id}/error_tracking/settings`, { active: true, integrated: true })
  const { public_key: key } = await call('POST', `/projects/${id}/error_tracking/client_keys`)

  return { id, path: `/api/${id}/envelope/?sentry_key=${key}` }
}
