import Type from 'typebox'
import { paging } from '#api/pagination/offset.ts'
import { Nullable } from '#lib/nullable.ts'
import { ById } from '../schemas.ts'
import { cssColors } from './css-colors.ts'
import type { LabelRow } from './list-labels.ts'

/** Commas separate the names in lists. */
export const LabelName = Type.String({ minLength: 1, maxLength: 255, pattern: '^[^,\\s][^,]*$' })
const Color = Type.Refine(
  Type.String({ maxLength: 50, description: 'Such as `#FFAABB`, or a CSS color name.' }),
  color => toHex(color) !== undefined
)
const Priority = Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Null for none.' })))
const description = Type.Optional(Nullable(Type.String({ maxLength: 10_000 })))

export const LabelParams = Type.Object({
  ...ById.properties,
  label_id: Type.String({ maxLength: 255, description: 'The ID or the name of a label.' })
})

export const LabelsQuery = Type.Object({
  ...paging,
  search: Type.Optional(Type.String({ maxLength: 255 })),
  with_counts: Type.Optional(Type.Boolean({ description: 'For reporters: how many issues have the label.' })),
  include_ancestor_groups: Type.Optional(Type.Boolean({ description: 'Default true.' }))
})

export const LabelQuery = Type.Object({ include_ancestor_groups: LabelsQuery.properties.include_ancestor_groups })

export const NewLabelBody = Type.Object({ name: LabelName, color: Color, description, priority: Priority })

export const LabelBody = Type.Object({
  new_name: Type.Optional(LabelName),
  color: Type.Optional(Color),
  description,
  priority: Priority
})

/** Clients also name the label in the body. */
export const NamedLabelBody = Type.Object({
  ...LabelBody.properties,
  name: Type.Optional(LabelName),
  label_id: Type.Optional(Type.Integer())
})

/** A label of something, without what the caller has to do with it. */
export const LabelBasics = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Nullable(Type.String()),
  description_html: Type.String(),
  color: Type.String(),
  text_color: Type.String()
})

export const LabelShape = Type.Object({
  ...LabelBasics.properties,
  subscribed: Type.Boolean(),
  // Set for projects.
  priority: Type.Optional(Nullable(Type.Integer())),
  is_project_label: Type.Optional(Type.Boolean()),
  open_issues_count: Type.Optional(Type.Integer()),
  closed_issues_count: Type.Optional(Type.Integer()),
  open_merge_requests_count: Type.Optional(Type.Integer())
})

export function presentLabelBasics({ id, name, description, color }: Pick<LabelRow, 'id' | 'name' | 'description' | 'color'>) {
  return { id, name, description, description_html: escapeHtml(description ?? ''), color, text_color: textColorOn(color) }
}

export function presentLabel({ subscribed, ...label }: LabelRow, type: 'Project' | 'Group') {
  return {
    ...presentLabelBasics(label),
    subscribed,
    ...(type === 'Project' && { priority: label.priority, is_project_label: label.project_id !== null }),
    ...(label.counts && { ...label.counts, open_merge_requests_count: 0 })
  }
}

/** Black on light colors, white on dark ones. */
export function textColorOn(color: string) {
  const [, ...parts] = /^#(\w\w)(\w\w)(\w\w)$/.exec(toHex(color) ?? '') ?? []
  const brightness = parts.reduce((sum, part) => sum + Number.parseInt(part, 16), 0)

  return brightness > 500 ? '#1F1E24' : '#FFFFFF'
}

/** Six digits: `#abc` means `#aabbcc`, and `red` `#ff0000`. Undefined when it is no color. */
export function toHex(color: string) {
  const name = color.toLowerCase()

  if (Object.hasOwn(cssColors, name)) return `#${cssColors[name as keyof typeof cssColors]}`
  if (!/^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/.test(color)) return undefined

  return color.length === 4 ? color.replaceAll(/[^#]/g, digit => digit + digit) : color
}

function escapeHtml(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
