import type { MonitorState } from '#monitors/monitor-state.ts'
import { html } from '../layout/html.ts'

const badges = {
  failing: html`<span class="badge bad">failing</span>`,
  ok: html`<span class="badge good">ok</span>`,
  waiting: html`<span class="badge">waiting</span>`
}

export function stateBadge(state: MonitorState['state']) {
  return badges[state]
}
