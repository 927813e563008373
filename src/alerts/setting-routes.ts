import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { MissingParameters } from '#lib/refusals.ts'
import { severities } from '#lib/severity.ts'
import { findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { ById } from '#projects/schemas.ts'
import type { AlertSetting } from './alert-setting.ts'
import { changeSetting, findSetting } from './change-setting.ts'

const attributes = {
  create_incidents: Type.Boolean({ description: 'Whether a new alert opens an incident.' }),
  auto_close_incidents: Type.Boolean({ description: 'Whether an incident is closed when its alerts are resolved.' }),
  severity_floor: Type.Enum([...severities], {
    description: 'Minimum severity. Alerts below it open no incident and send no e-mail. `unknown` is the lowest.'
  }),
  send_email: Type.Boolean({ description: 'Whether members receive e-mail about new and resolved alerts.' }),
  incident_template: Type.Union([Type.String({ description: 'Markdown added to the description of incidents.' }), Type.Null()]),
  generic_alert_fingerprinting: Type.Boolean({ description: 'Whether alerts without a fingerprint are grouped by content.' }),
  update_repeated_alerts: Type.Boolean({
    description: 'Whether a repeated alert raises the severity and updates the title and description. Its history records the change.'
  }),
  requests_per_minute: Type.Union([Type.Integer({ description: 'Maximum requests per minute; null for no limit.' }), Type.Null()])
}
const SettingShape = Type.Object(attributes)
export const SettingBody = Type.Partial(SettingShape)

/** Only for maintainers. */
export const alertSettingRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const guard = { config: { role: 'maintainer' } } as const
  const url = '/projects/:id/alert_settings'

  app.get(
    url,
    { ...guard, schema: { summary: 'Get the alert settings', params: ById, response: { 200: SettingShape } } },
    async ({ em, user, params }) => {
      const project = await findProject(em, user, params.id, Role.maintainer)

      return presentSetting(await findSetting(em, project.id))
    }
  )

  for (const method of ['PUT', 'PATCH'] as const) {
    app.route({
      method,
      url,
      ...guard,
      schema: { summary: 'Change the alert settings', params: ById, body: SettingBody, response: { 200: SettingShape } },
      handler: async ({ em, user, actor, params, body }) => {
        const project = await findProject(em, user, params.id, Role.maintainer)
        const values = readSetting(body)

        if (Object.values(values).every(value => value === undefined)) throw new MissingParameters(...Object.keys(attributes))

        return presentSetting(await changeSetting(em, { config, project, actor }, values))
      }
    })
  }
}

export function readSetting(body: Static<typeof SettingBody>) {
  return {
    createsIncidents: body.create_incidents,
    closesIncidents: body.auto_close_incidents,
    severityFloor: body.severity_floor,
    sendsEmail: body.send_email,
    incidentTemplate: body.incident_template === '' ? null : body.incident_template,
    isFingerprinting: body.generic_alert_fingerprinting,
    updatesOnRepeat: body.update_repeated_alerts,
    requestsPerMinute: body.requests_per_minute
  }
}

export function presentSetting(setting: AlertSetting): Static<typeof SettingShape> {
  return {
    create_incidents: setting.createsIncidents,
    auto_close_incidents: setting.closesIncidents,
    severity_floor: setting.severityFloor,
    send_email: setting.sendsEmail,
    incident_template: setting.incidentTemplate ?? null,
    generic_alert_fingerprinting: setting.isFingerprinting,
    update_repeated_alerts: setting.updatesOnRepeat,
    requests_per_minute: setting.requestsPerMinute ?? null
  }
}
