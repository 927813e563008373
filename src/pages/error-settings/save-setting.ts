import { Check } from 'typebox/value'
import { changeSetting, type SettingValues } from '#errors/settings/change-setting.ts'
import { ErrorSetting } from '#errors/settings/error-setting.ts'
import { SettingChanges } from '#errors/settings/setting-schemas.ts'
import { catchValidation, type PageContext, type Problems } from '../projects/page-context.ts'

export type ChangedSettings = Partial<SettingValues>
/** The rule of a field that was broken, by its name. */
export type Reasons = Partial<Record<keyof SettingValues, string>>

export function findSetting({ em, project }: PageContext) {
  return em.findOne(ErrorSetting, { projectId: project.id })
}

/** Changes some of the settings. Returns the problems of the fields when nothing was changed. */
export async function saveSetting(context: PageContext, values: ChangedSettings, reasons: Reasons): Promise<Problems | undefined> {
  const { em, project, admin } = context
  const setting = await findSetting(context)
  const changes = { active: setting?.active ?? false, ...values }

  if (!Check(SettingChanges, changes)) return problemsOf(values, reasons)
  const { problems } = await catchValidation(() => changeSetting(em, admin.config, { project, setting }, changes, admin.actor))

  return problems
}

export function problemsOf(values: ChangedSettings, reasons: Reasons): Problems {
  const names = Object.keys(reasons) as (keyof SettingValues)[]
  const wrong = names.filter(name => values[name] !== undefined && !Check(SettingChanges.properties[name], values[name]))

  return Object.fromEntries(wrong.map(name => [name, reasons[name]!]))
}
