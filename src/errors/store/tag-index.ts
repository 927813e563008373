import { LRUCache } from 'lru-cache'
import type { GroupedEvent } from './group-store.ts'

/** A tag that an error can be searched by: `browser.name=Firefox`. */
export interface NewTag {
  projectId: number
  groupId: number
  name: string
  value: string
}

/** A tag with more values in one error identifies events: it is not searched for. */
const maxValues = 100
const maxGroups = 2000
/** Tags are stored again every day, because they expire. */
const ttl = 24 * 60 * 60 * 1000

type Values = Map<string, Set<string>>

/** Remembers the tags that are stored, because most events repeat those of earlier events. */
export class TagIndex {
  #groups = new LRUCache<number, Values>({ max: maxGroups, ttl, noUpdateTTL: true })

  /** The tags of events that may not be stored yet. */
  selectNew(events: GroupedEvent[]): NewTag[] {
    const selected = new Map<number, Values>()

    for (const { groupId, occurrence } of events) {
      for (const tags of [occurrence.tags, occurrence.userTags]) {
        for (const name in tags) if (!this.#has(groupId, name, tags[name]!)) add(selected, groupId, name, tags[name]!)
      }
    }
    const projects = new Map(events.map(({ groupId, projectId }) => [groupId, projectId]))

    return [...selected].flatMap(([groupId, values]) => listTags(projects.get(groupId)!, groupId, values))
  }

  /** Call it once the tags are committed. */
  add(tags: NewTag[]) {
    for (const { groupId, name, value } of tags) {
      const values = this.#groups.get(groupId) ?? new Map()

      this.#groups.set(groupId, values)
      add(new Map([[groupId, values]]), groupId, name, value)
    }
  }

  #has(groupId: number, name: string, value: string) {
    const values = this.#groups.get(groupId)?.get(name)

    return values !== undefined && (values.has(value) || values.size >= maxValues)
  }
}

function add(groups: Map<number, Values>, groupId: number, name: string, value: string) {
  const values = groups.get(groupId) ?? new Map<string, Set<string>>()

  groups.set(groupId, values)
  values.set(name, (values.get(name) ?? new Set()).add(value))
}

function listTags(projectId: number, groupId: number, values: Values): NewTag[] {
  return [...values].flatMap(([name, texts]) => [...texts].slice(0, maxValues).map(value => ({ projectId, groupId, name, value })))
}
