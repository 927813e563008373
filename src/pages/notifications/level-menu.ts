import type { FastifyRequest } from 'fastify'
import { findSetting, type SettingScope } from '#notifications/settings/change-setting.ts'
import { type Level, levels } from '#notifications/settings/notification-setting.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { iconOf } from '../layout/badge-icon.ts'
import { formOf } from '../layout/field.ts'
import { attributes, html } from '../layout/html.ts'
import { levelTexts } from './level-texts.ts'

const bell = 'M8 0a1 1 0 011 1v1a5 5 0 014 5v4l2 2v1H1v-1l2-2V7a5 5 0 014-5V1a1 1 0 011-1zM6 15h4a2 1 0 01-4 0z'

/** A bell that sets what the user is notified about in a project or group. */
export async function levelMenu(request: FastifyRequest, em: EntityManager, scope: SettingScope) {
  const { level } = await findSetting(em, request.user, scope)
  const url = settingUrl(scope)

  return html`
    <details class="level-menu">
      <summary class="button plain small">${iconOf(bell)} Notify me: ${levelTexts[level].name.toLowerCase()}</summary>
      <div>
        ${formOf(request, { action: url }, html`${levels.filter(one => one !== 'custom').map(one => levelButton(one, one === level))}<input type="hidden" name="from" value="menu">`)}
        <a href="${url}">Custom…</a>
      </div>
    </details>`
}

function levelButton(level: Level, isCurrent: boolean) {
  const { name, hint } = levelTexts[level]

  return html`<button${attributes({ class: 'quiet', name: 'level', value: level, 'aria-pressed': isCurrent ? 'true' : 'false' })}><strong>${name}</strong><span class="hint">${hint}</span></button>`
}

export function settingUrl({ projectId, groupId }: SettingScope) {
  return `/-/profile/notifications/${projectId ? `projects/${projectId}` : `groups/${groupId}`}`
}
