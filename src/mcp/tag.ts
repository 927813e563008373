import Type from 'typebox'

export const tag = Type.Optional(
  Type.String({ maxLength: 500, pattern: '^[^=]+=', description: 'Event tag: `name=value`, such as `browser.name=Firefox`.' })
)
