import type { OwnerKind } from '#projects/owner.ts'
import type { WebhookFlag } from '../events.ts'
import { flagsOf } from '../webhook-schemas.ts'

/** Triggers of what exists here, in the order of the form. */
const texts: Partial<Record<WebhookFlag, { label: string; hint: string }>> = {
  issues_events: { label: 'Issues', hint: 'An issue or incident is opened, changed, closed or reopened.' },
  note_events: { label: 'Comments', hint: 'A comment on an issue or incident.' },
  confidential_issues_events: { label: 'Confidential issues', hint: 'The same for confidential issues.' },
  confidential_note_events: { label: 'Confidential comments', hint: 'Comments on confidential issues.' },
  push_events: { label: 'Pushes', hint: 'A branch is pushed, created or deleted.' },
  tag_push_events: { label: 'Tags', hint: 'A tag is created, moved or deleted.' },
  repository_update_events: { label: 'Repository updates', hint: 'Once for each push, however many branches and tags it changes.' },
  pipeline_events: { label: 'Pipelines', hint: 'A pipeline’s status changes.' },
  job_events: { label: 'Jobs', hint: 'A job’s status changes.' },
  member_events: { label: 'Members', hint: 'A member is added, changed or removed.' },
  project_events: { label: 'Projects', hint: 'A project in the group is created or deleted.' }
}

export function triggersOf(ownerKind: OwnerKind) {
  const flags = Object.keys(texts) as WebhookFlag[]

  return flags.filter(flag => flagsWithin(ownerKind).includes(flag)).map(flag => ({ flag, ...texts[flag]! }))
}

/** GitLab's triggers of what does not exist here: they can be chosen, and nothing comes. */
export function idleTriggersOf(ownerKind: OwnerKind) {
  return flagsWithin(ownerKind)
    .filter(flag => !texts[flag])
    .map(flag => ({ flag, label: labelOf(flag) }))
}

export function labelOf(flag: WebhookFlag) {
  const name = flag.replace(/_events$/, '').replaceAll('_', ' ')

  return texts[flag]?.label ?? name.charAt(0).toUpperCase() + name.slice(1)
}

function flagsWithin(ownerKind: OwnerKind) {
  return flagsOf[ownerKind] as readonly WebhookFlag[]
}
