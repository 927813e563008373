import type { FastifyRequest } from 'fastify'
import { type Flag, flags, hasFlag, type Level, levels, type NotificationSetting } from '#notifications/settings/notification-setting.ts'
import { checkbox } from '../layout/field.ts'
import { chosenOf, textOf } from '../layout/forms.ts'
import { attributes, html } from '../layout/html.ts'
import { eventTexts, levelTexts } from './level-texts.ts'

/** The level and the events of a setting. Everything else is about projects and groups, so only they have `global`. */
export function settingFields(setting: NotificationSetting) {
  const isGlobal = !setting.projectId && !setting.groupId

  return html`
    <fieldset class="levels">
      <legend>E-mail me about</legend>
      ${(Object.keys(levelTexts) as Level[]).filter(level => level !== 'global' || !isGlobal).map(level => levelChoice(level, setting.level === level))}
    </fieldset>
    <fieldset class="events inset">
      <legend>Events</legend>
      ${flags.filter(flag => eventTexts[flag]).map(flag => checkbox({ name: 'events', value: flag, label: eventTexts[flag]!, isChecked: hasFlag(setting, flag) }))}
      <details class="further">
        <summary>Events that do not exist here yet</summary>
        <p class="hint">Their flags are kept for API clients and have no effect: there are no merge requests, pipelines or epics yet.</p>
        ${flags.filter(flag => !eventTexts[flag]).map(flag => checkbox({ name: 'events', value: flag, label: flag.replaceAll('_', ' '), isChecked: hasFlag(setting, flag) }))}
      </details>
    </fieldset>
    <input type="hidden" name="has_events" value="true">`
}

function levelChoice(level: Level, isChosen: boolean) {
  const { name, hint } = levelTexts[level]
  const id = `level-${level}`

  return html`
    <div class="choice">
      <input type="radio"${attributes({ id, name: 'level', value: level, checked: isChosen, 'aria-describedby': `${id}-hint` })}>
      <label for="${id}">${name}</label>
      <p class="hint" id="${id}-hint">${hint}</p>
    </div>`
}

/** A form without the events, such as that of a menu, changes the level only. */
export function readSettingFields(request: FastifyRequest) {
  const chosen = chosenOf(request, 'events')
  const events = Object.fromEntries(flags.map(flag => [flag, chosen.includes(flag)])) as Record<Flag, boolean>

  return {
    level: levels.find(level => level === textOf(request, 'level')),
    ...(textOf(request, 'has_events') !== '' && { events })
  }
}
