/** The most urgent first, by how they are stored. */
const values = { high: 3, medium: 2, low: 1 } as const

export type Priority = keyof typeof values

export const priorities = Object.keys(values) as Priority[]

export function priorityValue(priority: Priority) {
  return values[priority]
}

export function priorityName(value: number): Priority {
  return priorities.find(name => values[name] === value) ?? 'medium'
}

/** The priority of a new error, until people change it. */
export function initialPriority(level: string, isUnhandled: boolean): Priority {
  if (level === 'info' || level === 'debug') return 'low'

  return level === 'fatal' || (level !== 'warning' && isUnhandled) ? 'high' : 'medium'
}
