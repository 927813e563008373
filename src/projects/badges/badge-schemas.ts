import Type from 'typebox'
import { paging } from '../../http/pagination/offset.ts'
import { Nullable } from '../../http/parameters/nullable.ts'
import { ById } from '../schemas.ts'

/** Of `http:` and `https:` only: a link must not run a script. */
const Address = Type.String({
  maxLength: 2000,
  pattern: '^https?://[^\\s"<>]+$',
  description: 'May have placeholders: `%{project_path}`, `%{project_name}`, `%{project_id}`, `%{default_branch}` and others of GitLab.'
})
const name = Type.Optional(Nullable(Type.String({ maxLength: 255 })))

export const BadgeParams = Type.Object({ ...ById.properties, badge_id: Type.Integer() })
export const BadgesQuery = Type.Object({ ...paging, name: Type.Optional(Type.String({ maxLength: 255 })) })
export const NewBadgeBody = Type.Object({ name, link_url: Address, image_url: Address })
export const BadgeBody = Type.Partial(NewBadgeBody)
export const RenderQuery = Type.Object({ link_url: Address, image_url: Address })

export const RenderedBadge = Type.Object({
  link_url: Type.String(),
  image_url: Type.String(),
  rendered_link_url: Type.String(),
  rendered_image_url: Type.String()
})
export const BadgeShape = Type.Object({
  id: Type.Integer(),
  name: Nullable(Type.String()),
  ...RenderedBadge.properties,
  kind: Type.Enum(['project', 'group'])
})

/** Replaces the placeholders that have a value; a group has fewer of them than a project. */
export function renderAddresses({ linkUrl, imageUrl }: { linkUrl: string; imageUrl: string }, placeholders: Map<string, string>) {
  const render = (url: string) =>
    url.replaceAll(/%\{(\w{1,50})\}/g, (whole, name) => (placeholders.has(name) ? encodeURI(placeholders.get(name)!) : whole))

  return { link_url: linkUrl, image_url: imageUrl, rendered_link_url: render(linkUrl), rendered_image_url: render(imageUrl) }
}
