import type { Flag, Level } from '#notifications/settings/notification-setting.ts'

export const levelTexts: Record<Level, { name: string; hint: string }> = {
  global: { name: 'Default', hint: 'Same as its group, or your global setting.' },
  watch: { name: 'Watch', hint: 'All activity on issues and incidents.' },
  participating: { name: 'Participate', hint: 'Mentions, and issues that you opened, commented on or are assigned to.' },
  mention: { name: 'On mention', hint: 'Only when you or @all are mentioned.' },
  disabled: { name: 'Disabled', hint: 'No e-mail, not even from project rules for your role.' },
  custom: { name: 'Custom', hint: 'Same as Participate, plus the events you choose.' }
}

/** The flags that have an effect. Flags of things that do not exist here are kept for clients. */
export const eventTexts: Partial<Record<Flag, string>> = {
  new_issue: 'An issue or incident is opened',
  reassign_issue: 'An issue or incident is assigned to someone else',
  issue_due: 'An issue is due tomorrow',
  close_issue: 'An issue or incident is closed',
  reopen_issue: 'An issue or incident is reopened',
  new_note: 'A comment is added',
  moved_project: 'The project is moved'
}
