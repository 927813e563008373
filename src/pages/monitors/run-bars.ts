import type { Run } from '#monitors/run-store.ts'
import { keptRuns } from '#monitors/run-store.ts'
import { html } from '../layout/html.ts'

const height = 24
const step = 5

const names: Record<Run['status'], string> = {
  ok: 'ok',
  error: 'failed',
  missed: 'missed',
  timeout: 'too long',
  in_progress: 'in progress'
}
/** Failures are twice as high as good runs. */
const kinds = { good: ['ok'], running: ['in_progress'], bad: ['error', 'missed', 'timeout'] } as const

export function statusName(status: Run['status']) {
  return names[status]
}

/**
 * The runs, the oldest first. One path for each colour, as a page has thousands of runs. Good runs are as high as they were long,
 * when that `isScaled`.
 */
export function runBars(runs: Run[], isScaled = false) {
  const longest = Math.max(...runs.filter(({ status }) => status === 'ok').map(({ durationMs }) => durationMs ?? 0), 1)
  const heightOf = ({ durationMs }: Run) => (isScaled ? Math.max(2, Math.round((height * (durationMs ?? 0)) / longest)) : height / 2)
  const bars = runs
    .toSorted((a, b) => a.run - b.run)
    .map((run, n) => ({ status: run.status, x: (keptRuns - runs.length + n) * step + 2, good: heightOf(run) }))
  const pathOf = (kind: keyof typeof kinds) => {
    const statuses: readonly string[] = kinds[kind]

    return bars
      .filter(({ status }) => statuses.includes(status))
      .map(({ x, good }) => `M${x} ${height}V${kind === 'good' ? height - good : 0}`)
      .join('')
  }
  const failed = bars.filter(({ status }) => (kinds.bad as readonly string[]).includes(status)).length

  return html`
    <svg class="runs" role="img" aria-label="${runs.length} runs, ${failed} of them failed" viewBox="0 0 ${keptRuns * step} ${height}" preserveAspectRatio="xMinYMid meet">${(
      ['good', 'running', 'bad'] as const
    ).map(kind => html`<path class="${kind}" d="${pathOf(kind)}"/>`)}</svg>`
}
