import type { AssigneeFilter } from './assignee-filter.ts'
import type { Status } from './error-group.ts'

export type Comparison = '<' | '<=' | '>' | '>=' | '='

/** A text to compare with: equal, or with `*` for any text, or contained. */
export interface TextMatch {
  text: string
  how: 'equal' | 'pattern' | 'contained'
}

/** What a search requires of an error beyond what indexes answer at once. */
export type GroupCondition =
  | { all: GroupCondition[] }
  | { any: GroupCondition[] }
  | { not: GroupCondition }
  /** Part of the name, the description, the actor or the places of the stack trace. */
  | { words: string }
  | { status: Status }
  | { assignee: AssigneeFilter }
  | { priority: number }
  | { isRegressed: true }
  | { seen: 'firstSeenAt' | 'lastSeenAt'; comparison: Comparison; at: Date }
  | { count: 'events' | 'users'; comparison: Comparison; than: number }
  | { field: 'title' | 'type' | 'description' | 'platform' | 'level' | 'first_release'; match: TextMatch }
  | { list: 'environments' | 'releases'; match: TextMatch }
  /** Any of these values of a list. */
  | { list: 'releases'; among: string[] }
  /** Of the stack trace: `file src/cart.ts`. */
  | { place: 'file' | 'function' | 'module'; match: TextMatch }
  | { tag: string; match?: TextMatch }
  | { ids: number[] }
