import type { ServerResponse } from 'node:http'
import { TooOften, Unavailable } from '#lib/refusals.ts'
import type { Listener } from '../database/listener.ts'
import { type Announced, concerns, readAnnounced, type Topic } from './topic.ts'

export interface LiveLimits {
  /** Connections of this process. */
  total: number
  /** Connections of a user to this process. */
  perUser: number
  /** At most one event in this time to each page. */
  pauseMs: number
  /** Proxies cut a connection that is silent for longer. */
  heartbeatMs: number
  /** A page connects again after this, and is authorised again. */
  lifetimeMs: number
}

const defaults: LiveLimits = { total: 5000, perUser: 50, pauseMs: 1000, heartbeatMs: 25_000, lifetimeMs: 300_000 }
const retrySeconds = 60
/** What changed after a page was written and before it connected is told when it connects. */
const recentMs = 5000
const maxRecent = 1000

interface Connection {
  userId: number
  topics: Topic[]
  response: ServerResponse
  endsAt: number
  /** Since the last event; `isChanged` when there is one to send after the pause. */
  isPausing: boolean
  isChanged: boolean
}

/** The open pages of this process that are told of changes, as server-sent events. An event says that something changed, and not what. */
export class LiveConnections {
  #limits: LiveLimits
  #byProject = new Map<number, Set<Connection>>()
  #all = new Set<Connection>()
  #recent: (Announced & { at: number })[] = []
  #heartbeat: NodeJS.Timeout

  constructor(listener: Listener, limits: Partial<LiveLimits> = {}) {
    this.#limits = { ...defaults, ...limits }
    this.#heartbeat = setInterval(() => this.#beat(), this.#limits.heartbeatMs).unref()
    listener.on('live', payload => this.#receive(payload))
  }

  get size() {
    return this.#all.size
  }

  /** Throws before there is one more than the limits allow. */
  checkLimits(userId: number) {
    const { total, perUser } = this.#limits
    let ofUser = 0

    for (const connection of this.#all) if (connection.userId === userId) ofUser++
    if (ofUser >= perUser) throw new TooOften(retrySeconds)
    if (this.#all.size >= total) throw new Unavailable(retrySeconds)
  }

  /** Writes events to the response until its client or `close` ends it. */
  open(response: ServerResponse, userId: number, topics: Topic[]) {
    // Spread, so that those of a process that has just started do not all return at once.
    const endsAt = Date.now() + this.#limits.lifetimeMs * (0.8 + 0.2 * Math.random())
    const connection: Connection = { userId, topics, response, endsAt, isPausing: false, isChanged: false }

    this.#all.add(connection)
    for (const id of projectsOf(connection)) this.#byProject.set(id, (this.#byProject.get(id) ?? new Set()).add(connection))
    response.once('close', () => this.#remove(connection))
    response.write('retry: 2000\n\n')
    if (this.#recent.some(announced => announced.at > Date.now() - recentMs && isToldOf(connection, announced))) this.#notify(connection)
  }

  close() {
    clearInterval(this.#heartbeat)
    for (const { response } of this.#all) response.end()
  }

  #remove(connection: Connection) {
    this.#all.delete(connection)
    for (const id of projectsOf(connection)) {
      const ofProject = this.#byProject.get(id)

      ofProject?.delete(connection)
      if (ofProject?.size === 0) this.#byProject.delete(id)
    }
  }

  #receive(payload: string) {
    const announced = readAnnounced(payload)

    for (const connection of this.#byProject.get(announced.projectId) ?? []) {
      if (isToldOf(connection, announced)) this.#notify(connection)
    }
    this.#recent.push({ ...announced, at: Date.now() })
    if (this.#recent.length > maxRecent || this.#recent[0]!.at < Date.now() - recentMs) this.#recent.shift()
  }

  #notify(connection: Connection) {
    connection.isChanged = true
    if (connection.isPausing) return
    connection.isChanged = false
    connection.isPausing = true
    send(connection, 'data: changed\n\n')
    setTimeout(() => {
      connection.isPausing = false
      if (connection.isChanged) this.#notify(connection)
    }, this.#limits.pauseMs).unref()
  }

  #beat() {
    const now = Date.now()

    for (const connection of this.#all) {
      if (connection.endsAt <= now) connection.response.end()
      else send(connection, ':\n\n')
    }
  }
}

/** A client that reads nothing is cut off, so that nothing piles up for it. */
function send({ response }: Connection, text: string) {
  if (response.writableNeedDrain) response.destroy()
  else if (!response.writableEnded) response.write(text)
}

function isToldOf({ topics }: Connection, announced: Announced) {
  return topics.some(topic => concerns(announced, topic))
}

function projectsOf({ topics }: Connection) {
  return new Set(topics.flatMap(({ projectIds }) => projectIds))
}
