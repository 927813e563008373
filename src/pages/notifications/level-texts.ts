import type { Flag, Level } from '#notifications/settings/notification-setting.ts'

export const levelTexts: Record<Level, { name: string; hint: string }> = {
  global: { name: 'Default', hint: 'As its group and the parents of it say, or else your setting for everything.' },
  watch: { name: 'Watch', hint: 'Everything that happens to issues and incidents.' },
  participating: { name: 'Participate', hint: 'Mentions, and issues that you opened, are assigned to or commented on.' },
  mention: { name: 'On mention', hint: 'Only texts that mention you or @all.' },
  disabled: { name: 'Disabled', hint: 'Nothing, also not what rules of a project send to your role.' },
  custom: { name: 'Custom', hint: 'As Participate, and the events that you choose.' }
}

/** The flags that have an effect. Flags of things that do not exist here are kept for clients. */
export const eventTexts: Partial<Record<Flag, string>> = {
  new_issue: 'An issue or incident is opened',
  reassign_issue: 'An issue or incident is assigned to someone else',
  issue_due: 'An issue is due tomorrow',
  close_issue: 'An issue or incident is closed',
  reopen_issue: 'An issue or incident is opened again',
  new_note: 'A comment is added',
  moved_project: 'The project is moved'
}
