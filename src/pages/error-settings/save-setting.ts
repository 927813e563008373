import type Type from 'typebox'
import { changeSetting } from '#errors/settings/change-setting.ts'
import { ErrorSetting } from '#errors/settings/error-setting.ts'
import { presentSetting, type SettingChanges } from '#errors/settings/setting-schemas.ts'
import { Form, type SentForm } from '../layout/form.ts'
import type { PageContext } from '../projects/page-context.ts'

const defaults = { spike_protection: true, scrubbing: true, keep_ip_addresses: true }

export function findSetting({ em, project }: PageContext) {
  return em.findOne(ErrorSetting, { projectId: project.id })
}

/** The form with some of the stored settings. */
export async function storedForm<Schema extends Type.TObject>(context: PageContext, schema: Schema) {
  const setting = await findSetting(context)

  return new Form<Schema>(schema, { ...(setting ? presentSetting(setting) : defaults) } as object)
}

/** Saves the settings of a form, which are some of all. */
export async function saveSetting(context: PageContext, form: SentForm, given: Partial<Type.Static<typeof SettingChanges>> = form.body) {
  const { em, project, admin } = context
  const setting = await findSetting(context)

  return form.save(() => changeSetting(em, admin.config, { project, setting }, { active: setting?.active ?? false, ...given }, admin.actor))
}
