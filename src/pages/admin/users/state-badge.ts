import type { UserState } from '#identity/users/user.ts'
import { html } from '#pages/layout/html.ts'

/** Nothing for active users. */
export function stateBadge(state: UserState) {
  return (
    state !== 'active' && html`<span class="badge fatal">${state === 'blocked_pending_approval' ? 'waiting for approval' : state}</span>`
  )
}
