import Type from 'typebox'

export const tag = Type.Optional(
  Type.String({ maxLength: 500, pattern: '^[^=]+=', description: 'Tag of the events: `name=value`, such as `browser.name=Firefox`.' })
)
