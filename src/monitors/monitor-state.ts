import type { MonitorConfig } from './check-in.ts'
import { nextRun } from './schedule.ts'

/** How a monitor fares in an environment. */
export interface MonitorState {
  state: 'waiting' | 'ok' | 'failing'
  /** In a row. */
  failures: number
  successes: number
  lastRunAt: Date | null
  dueAt: Date | null
  missedAt: Date | null
}

export type Outcome = 'ok' | 'error' | 'missed' | 'timeout'

export type Rules = Omit<MonitorConfig, 'schedule'> & { schedule: MonitorConfig['schedule'] | null }

/** Counts how a run ended. Returns what has changed for those on call. */
export function countOutcome(state: MonitorState, outcome: Outcome, rules: Rules): 'failed' | 'recovered' | undefined {
  const isSuccess = outcome === 'ok'

  state.failures = isSuccess ? 0 : state.failures + 1
  state.successes = isSuccess ? state.successes + 1 : 0
  if (state.state === 'failing') {
    if (state.successes < rules.recoveryThreshold) return undefined
    state.state = 'ok'

    return 'recovered'
  }
  if (!isSuccess && state.failures >= rules.failureThreshold) {
    state.state = 'failing'

    return 'failed'
  }
  if (isSuccess) state.state = 'ok'

  return undefined
}

/** A run was seen: the next one is expected after it. */
export function expectNext(state: MonitorState, at: Date, rules: Rules) {
  if (state.lastRunAt && state.lastRunAt > at) return
  state.lastRunAt = at
  setDue(state, at, rules)
}

/** After a missed run. While nobody looked, several may have been missed: they are told as one. */
export function skipMissed(state: MonitorState, at: Date, rules: Rules) {
  setDue(state, state.dueAt ?? at, rules)
  if (state.missedAt && state.missedAt <= at) setDue(state, at, rules)
}

export function setDue(state: MonitorState, after: Date, { schedule, timezone, marginMinutes }: Rules) {
  state.dueAt = schedule && nextRun(schedule, timezone, after)
  state.missedAt = state.dueAt && new Date(state.dueAt.getTime() + Math.max(marginMinutes, 1) * 60_000)
}
