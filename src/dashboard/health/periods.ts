import type { TimeForm } from '#pages/layout/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { hourly, minutely, ofTenMinutes, secondsBefore } from '#platform/observability/samples/levels.ts'
import { readSamples, type Sample } from '#platform/observability/samples/sample-store.ts'
import { type Span, spanUntil } from '#platform/observability/samples/series.ts'

export interface Period {
  name: string
  level: { seconds: number }
  stepSeconds: number
  steps: number
  form: TimeForm
  /** After so many seconds the page shows newer values. */
  refreshSeconds: number
}

export const periods: Record<string, Period> = {
  hour: { name: 'Hour', level: minutely, stepSeconds: 60, steps: 60, form: 'hour', refreshSeconds: 15 },
  day: { name: 'Day', level: ofTenMinutes, stepSeconds: 1200, steps: 72, form: 'hour', refreshSeconds: 60 },
  month: { name: 'Month', level: hourly, stepSeconds: 8 * 3600, steps: 90, form: 'minute', refreshSeconds: 300 }
}

export interface History {
  span: Span
  samples: Sample[]
}

/** The samples of a period, and the one before it, which the first increase is counted from. */
export async function readHistory(em: EntityManager, { level, stepSeconds, steps }: Period, now: Date): Promise<History> {
  const span = spanUntil(now, stepSeconds, steps)

  return { span, samples: await readSamples(em, level.seconds, secondsBefore(span.times[0]!, 2 * level.seconds), now) }
}
