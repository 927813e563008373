import { sql } from 'kysely'

/** Days are those of UTC, and weeks begin on Mondays. */
const today = sql`(now() AT TIME ZONE 'UTC')::date`

/** GitLab's filters on the due date of an issue. */
const conditions = {
  '0': sql`due_date IS NULL`,
  none: sql`due_date IS NULL`,
  any: sql`due_date IS NOT NULL`,
  today: sql`due_date = ${today}`,
  tomorrow: sql`due_date = ${today} + 1`,
  overdue: sql`due_date < ${today}`,
  week: sql`date_trunc('week', due_date) = date_trunc('week', ${today})`,
  month: sql`date_trunc('month', due_date) = date_trunc('month', ${today})`,
  next_month_and_previous_two_weeks: sql`due_date >= ${today} - 14 AND due_date < date_trunc('month', ${today}) + interval '2 months'`
}

export type DueFilter = keyof typeof conditions
export const dueFilters = Object.keys(conditions) as DueFilter[]

/** On the table `issues`. */
export function isDue(filter: DueFilter) {
  return conditions[filter]
}
