import type { TopFrame } from '#errors/events/top-frame.ts'
import type { Severity } from '#lib/severity.ts'
import { writtenTime } from '#lib/zoned-time.ts'

/** What a notification is about: an error, a user's feedback, a release, an alert, an issue, an incident or a project. */
export interface Subject {
  type: 'error' | 'feedback' | 'release' | 'alert' | 'issue' | 'incident' | 'project'
  id: number
  projectId: number
  /** Such as `#12`; undefined where the id says nothing to users. */
  reference?: string
  title: string
  url: string
  status: string
  severity?: Severity
  /** Set for errors. */
  level?: string
  environments: string[]
  releases: string[]
  /** As `name=value`. */
  tags: string[]
  /** Only members with at least this role may be notified about it. */
  minRole: number
  authorId?: number | null
  assigneeIds: number[]
  /** The address of the instructions for it, if it is one. */
  runbook?: string
  /** Of an error that a message is about alone. */
  topFrame?: TopFrame | undefined
  /** What messages show, in order. */
  facts: Fact[]
}

/** The text of a time is in UTC. */
export type Fact = [name: string, value: string, at?: Date]

export function timeFact(name: string, at: Date): Fact {
  return [name, writtenTime(at), at]
}

/** The facts whose value is not empty. */
export function presentFacts(facts: [name: string, value: string | null | undefined, at?: Date][]) {
  return facts.filter((fact): fact is Fact => Boolean(fact[1]))
}
