/** What a page shows: things of one kind of some projects, or one of them. */
export interface Topic {
  kind: string
  projectIds: number[]
  /** Of the one that the page shows. */
  id?: number
}

/** What a notification names. */
export interface Announced {
  kind: string
  projectId: number
  /** Undefined when there are too many. */
  ids: Set<number> | undefined
}

/** The payload of a notification of `announce`. */
export function readAnnounced(payload: string): Announced {
  const [kind = '', projectId, ids] = payload.split(':')

  return { kind, projectId: Number(projectId), ids: ids === undefined ? undefined : new Set(ids.split(',').map(Number)) }
}

export function concerns({ kind, projectId, ids }: Announced, topic: Topic) {
  return topic.kind === kind && topic.projectIds.includes(projectId) && (topic.id === undefined || !ids || ids.has(topic.id))
}
