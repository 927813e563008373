import { counted } from '#lib/counted.ts'
import { readSchedule, type Schedule } from '#monitors/schedule.ts'

const interval = /^(?:every )?(?:(\d{1,5}) )?(minute|hour|day|week|month|year)s?$/i

/** What people enter: a crontab, or `every 5 minutes`. Undefined when it is neither. */
export function parseScheduleText(text: string): Schedule | undefined {
  const trimmed = text.trim().replace(/\s+/g, ' ')
  const [, value = '1', unit] = interval.exec(trimmed) ?? []

  return readSchedule(unit ? { type: 'interval', value: Number(value), unit: unit.toLowerCase() } : { type: 'crontab', value: trimmed })
}

/** The same as text. */
export function scheduleText(schedule: Schedule | null | undefined) {
  if (!schedule) return ''
  if (schedule.type === 'crontab') return schedule.value

  return schedule.value === 1 ? `every ${schedule.unit}` : `every ${counted(schedule.value, schedule.unit)}`
}
