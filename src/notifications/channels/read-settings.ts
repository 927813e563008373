import Type, { type TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Config } from '#config.ts'
import { isEmail } from '#identity/users/user-attributes.ts'
import { type Reasons, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { isMember } from '#projects/members/member-store.ts'
import type { Project } from '#projects/project.ts'
import { findBlindRecipients } from '../rules/check-recipients.ts'
import { NotificationRule } from '../rules/notification-rule.ts'
import { decryptSecrets, encryptSecrets } from './channel-secrets.ts'
import { EmailSettings } from './email-channel.ts'
import type { NotificationChannel } from './notification-channel.ts'
import type { ChannelKind } from './web-channels.ts'
import { webChannelOf } from './web-channels.ts'

interface Context {
  em: EntityManager
  config: Config
  project: Project
  current?: NotificationChannel
}

/** Validates the settings of a channel and returns its columns. Settings that are not given stay as they are. */
export async function readSettings(kind: ChannelKind, given: Record<string, unknown>, context: Context) {
  const channel = webChannelOf(kind)

  return channel ? readWebSettings(channel, given, context) : { settings: await readEmailSettings(given, context) }
}

async function readWebSettings(
  { settings, secrets, generate }: NonNullable<ReturnType<typeof webChannelOf>>,
  given: Record<string, unknown>,
  { config, project, current }: Context
) {
  const stored = current?.secrets && (await decryptSecrets(config, project.id, current.secrets))
  const all = withoutNulls({ ...generate?.(), ...current?.settings, ...stored, ...given })
  const valid = validate(Type.Object({ ...settings.properties, ...secrets.properties }), all)

  checkUrl(valid.url)

  return {
    settings: { ...pick(valid, settings), host: new URL(String(valid.url)).host },
    secrets: await encryptSecrets(config, project.id, pick(valid, secrets))
  }
}

async function readEmailSettings(given: Record<string, unknown>, { em, project, current }: Context) {
  const settings = validate(EmailSettings, { ...current?.settings, ...given }) as EmailSettings
  const invalid = settings.addresses.filter(address => !isEmail(address))
  const strangers = await filterAsync(settings.user_ids, async id => !(await isMember(em, project.id, id)))

  if (invalid.length > 0)
    refuse({ addresses: [`${quoted(invalid)} ${invalid.length === 1 ? 'is not an e-mail address' : 'are not e-mail addresses'}`] })
  if (strangers.length > 0) refuse({ user_ids: [`${strangers.join(', ')} are not members of the project`] })
  if ([settings.roles, settings.user_ids, settings.addresses].every(list => list.length === 0) && !settings.assignees) {
    refuse({ base: ['has no recipients: give roles, user_ids, assignees or addresses'] })
  }
  const blind = current ? await findBlindRecipients(em, project.id, settings, await findTriggers(em, current)) : {}

  if (Object.keys(blind).length > 0) refuse(blind)

  return settings
}

/** Triggers of all rules that send to a channel. */
async function findTriggers(em: EntityManager, { id, projectId }: NotificationChannel) {
  const rules = await em.find(NotificationRule, { projectId })

  return rules.filter(({ channelIds }) => channelIds.includes(id)).flatMap(({ triggers }) => triggers)
}

function validate(schema: TObject, given: Record<string, unknown>): Record<string, unknown> {
  const validator = Compile(schema)
  const value = pick(validator.Default(given) as Record<string, unknown>, schema)

  if (validator.Check(value)) return value
  const [error] = validator.Errors(value)
  const missing = (error?.params as { requiredProperties?: string[] } | undefined)?.requiredProperties?.[0]
  const name = missing ?? error?.instancePath.slice(1).split('/')[0] ?? 'base'

  return refuse({ [name]: [missing ? 'is missing' : (error?.message ?? 'is invalid')] })
}

function checkUrl(value: unknown) {
  const url = URL.parse(String(value))

  if (!url || !/^https?:$/.test(url.protocol)) refuse({ url: ['must be an http or https URL'] })
  if (url?.username || url?.password) refuse({ url: ['must not contain a user name or password'] })
}

function pick(values: Record<string, unknown>, { properties }: TObject) {
  return Object.fromEntries(Object.keys(properties).flatMap(name => (values[name] === undefined ? [] : [[name, values[name]]])))
}

async function filterAsync<T>(values: T[], test: (value: T) => Promise<boolean>) {
  const results = await Promise.all(values.map(test))

  return values.filter((_, n) => results[n])
}

/** Null removes what is stored. */
function withoutNulls(values: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

function quoted(texts: string[]) {
  return texts
    .slice(0, 5)
    .map(text => `"${text.slice(0, 100)}"`)
    .join(', ')
}

function refuse(reasons: Reasons): never {
  throw new ValidationFailed({ settings: reasons })
}
