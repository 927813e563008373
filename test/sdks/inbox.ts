import { setTimeout as sleep } from 'node:timers/promises'
import type { System } from '../../bench/system.ts'

export interface Found {
  errors: FoundError[]
  sessions: { started: number; exited: number; errored: number; crashed: number; abnormal: number }
}

export interface FoundError {
  fingerprint: number
  name: string
  description: string
  actor: string
  level: string
  platform: string
  event_count: number
  approximated_user_count: number
  first_release: string
  environments: string[]
  /** Oldest first. */
  events: FoundEvent[]
}

export interface FoundEvent {
  release: string
  environment: string
  tags: Record<string, string>
  /** Normalised: the same shape for every SDK. */
  payload: Payload
}

interface Payload {
  exception?: Values<{ type: string; stacktrace?: Stack }>
  stacktrace?: Stack
  threads?: Values<{ stacktrace?: Stack }>
  breadcrumbs?: Values<{ message: string }>
  user?: { email?: string }
}

export interface Stack {
  frames: { function?: string; filename?: string; abs_path?: string; lineno?: number; in_app?: boolean }[]
}

export interface Values<T> {
  values: T[]
}

/** A project of its own, as its members see it through the API. */
export class Inbox {
  readonly dsn: string
  readonly #path: string
  readonly #projectId: number
  readonly #system: System

  static async open(system: System, name: string) {
    const project = await call<{ id: number }>(system, 'POST', '/projects', { name })
    const path = `/projects/${project.id}/error_tracking`

    await call(system, 'PUT', `${path}/settings`, { active: true, integrated: true })

    return new Inbox(system, project.id, await call<{ sentry_dsn: string }>(system, 'POST', `${path}/client_keys`))
  }

  constructor(system: System, projectId: number, key: { sentry_dsn: string }) {
    this.#system = system
    this.#projectId = projectId
    this.#path = `/projects/${projectId}/error_tracking/errors`
    this.dsn = key.sentry_dsn
  }

  /** Waits until so many events and sessions are there, then a little for those that should not be. */
  async look(events: number, sessions: number): Promise<Found> {
    const endsAt = Date.now() + 10_000
    let found = await this.#read()

    while (Date.now() < endsAt && (count(found) < events || found.sessions.started < sessions)) {
      await sleep(100)
      found = await this.#read()
    }
    await sleep(500)

    return this.#read()
  }

  async #read(): Promise<Found> {
    const errors = await call<FoundError[]>(this.#system, 'GET', `${this.#path}?per_page=100`)

    for (const error of errors) {
      const events = await call<{ payload: string }[]>(this.#system, 'GET', `${this.#path}/${error.fingerprint}/events`)

      error.events = events.map(event => ({ ...(event as object), payload: JSON.parse(event.payload) })) as FoundEvent[]
    }

    return { errors, sessions: await sessionsOf(this.#system, this.#projectId) }
  }
}

function count({ errors }: Found) {
  return errors.reduce((sum, error) => sum + error.event_count, 0)
}

async function sessionsOf(system: System, projectId: number): Promise<Found['sessions']> {
  const { rows } = await system.db.query(
    `SELECT coalesce(sum(started), 0)::int AS started, coalesce(sum(exited), 0)::int AS exited, coalesce(sum(errored), 0)::int AS errored,
            coalesce(sum(crashed), 0)::int AS crashed, coalesce(sum(abnormal), 0)::int AS abnormal
     FROM error_sessions WHERE project_id = $1 AND release = 'shop@1.2.3' AND environment = 'testing'`,
    [projectId]
  )

  return rows[0]
}

async function call<T>(system: System, method: string, path: string, body?: object) {
  const response = await fetch(`http://127.0.0.1:${system.port}/api/v4${path}`, {
    method,
    headers: { 'private-token': system.token, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body)
  })

  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)

  return response.json() as Promise<T>
}
