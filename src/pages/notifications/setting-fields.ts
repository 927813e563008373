import Type from 'typebox'
import type { SettingChanges } from '#notifications/settings/change-setting.ts'
import { type Flag, flags, hasFlag, type Level, levels, type NotificationSetting } from '#notifications/settings/notification-setting.ts'
import { Form } from '../layout/form.ts'
import { attributes, html } from '../layout/html.ts'
import { eventTexts, levelTexts } from './level-texts.ts'

/** The form of a menu. */
export const LevelForm = Type.Object({ level: Type.Enum([...levels]) })
/** The REST API has a parameter for each event. */
export const SettingForm = Type.Object({ ...LevelForm.properties, events: Type.Array(Type.Enum([...flags])) })

export function valuesOf(setting: NotificationSetting) {
  return { level: setting.level, events: flags.filter(flag => hasFlag(setting, flag)) }
}

export function formOfSetting(setting: NotificationSetting) {
  return new Form(SettingForm, valuesOf(setting))
}

export function changesOf({ level, events }: Type.Static<typeof SettingForm>): SettingChanges {
  return { level, events: Object.fromEntries(flags.map(flag => [flag, events.includes(flag)])) }
}

/** The level and the events of a setting. Everything else is about projects and groups, so only they have `global`. */
export function settingFields(form: Form<typeof SettingForm>, { isGlobal }: { isGlobal: boolean }) {
  const offered = (Object.keys(levelTexts) as Level[]).filter(level => level !== 'global' || !isGlobal)
  const event = (flag: Flag) => form.choice('events', flag, { label: eventTexts[flag] ?? flag.replaceAll('_', ' ') })

  return html`
    <fieldset class="levels">
      <legend>E-mail me about</legend>
      ${offered.map(level => levelChoice(level, form.text('level') === level))}
    </fieldset>
    <fieldset class="events inset">
      <legend>Events</legend>
      ${flags.filter(flag => eventTexts[flag]).map(event)}
      <details class="further">
        <summary>Events that do not exist here yet</summary>
        <p class="hint">Their flags are kept for API clients and have no effect: there are no merge requests, pipelines or epics yet.</p>
        ${flags.filter(flag => !eventTexts[flag]).map(event)}
      </details>
    </fieldset>`
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
