import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { MissingParameters } from '#lib/refusals.ts'
import { changeInstanceSettings } from './change-instance-settings.ts'
import { readInstanceSettings } from './instance-setting.ts'
import { presentSettings, SettingsBody, SettingsShape } from './instance-setting-schemas.ts'

/** GitLab's application settings, of which these exist. Others are ignored. */
export const instanceSettingRoutes: FastifyPluginAsyncTypebox = async app => {
  const { fork } = app.platform
  const guard = { config: { role: 'admin' as const } }
  const path = '/application/settings'

  app.get(path, { ...guard, schema: { summary: 'Get the settings of the installation', response: { 200: SettingsShape } } }, async () =>
    presentSettings(await readInstanceSettings(fork()))
  )

  app.put(
    path,
    { ...guard, schema: { summary: 'Change the settings of the installation', body: SettingsBody, response: { 200: SettingsShape } } },
    async ({ em, actor, body }) => {
      if (Object.keys(body).length === 0) throw new MissingParameters(...Object.keys(SettingsShape.properties))

      return presentSettings(await changeInstanceSettings(em, body, actor))
    }
  )
}
