import Type from 'typebox'

const Nullable = <T extends Type.TSchema>(type: T) => Type.Union([type, Type.Null()])

/** At least one letter or digit, as signs and case are not looked at. */
const Key = Type.String({ maxLength: 100, pattern: '[\\p{L}\\p{N}]' })
const Keys = (description: string) => Type.Optional(Type.Array(Key, { maxItems: 100, description }))

const EventsPerMinute = (whose: string) =>
  Type.Optional(
    Nullable(
      Type.Integer({ minimum: 1, maximum: 100_000_000, description: `Events that ${whose} may send in a minute; null for any number.` })
    )
  )

const changes = {
  events_per_minute: EventsPerMinute('the project'),
  spike_protection: Type.Optional(
    Type.Boolean({ description: 'Of a minute with far more events than usual, keep the first ones and count the others.' })
  ),
  scrubbing: Type.Optional(Type.Boolean({ description: 'Take secrets out of events before they are stored.' })),
  scrubbed_keys: Keys('More names whose values are secrets, also as words in longer names.'),
  safe_keys: Keys('Names whose values are left alone.'),
  keep_ip_addresses: Type.Optional(Type.Boolean()),
  retention_days: Type.Optional(
    Nullable(
      Type.Integer({ minimum: 1, maximum: 3650, description: 'Days for which events are kept; null for as long as the installation does.' })
    )
  )
}

export const NewSetting = Type.Object({ active: Type.Boolean(), integrated: Type.Boolean(), ...changes })
export const SettingChanges = Type.Object({ active: Type.Boolean(), integrated: Type.Optional(Type.Boolean()), ...changes })

export const NewClientKey = Type.Object({
  name: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 100 }))),
  events_per_minute: EventsPerMinute('who uses the key')
})

export const ClientKeyChanges = Type.Object({ ...NewClientKey.properties, active: Type.Optional(Type.Boolean()) })
