import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { wasWritten } from './spam-store.ts'

interface Checked {
  title: string
  text: string
  isChange?: boolean
  author: Pick<Viewer, 'id' | 'createdAt'>
  textHash: Buffer
}

const maxLinks = 10
/** Shorter texts, such as "+1", are repeated by honest users. */
const minRepeated = 20
const hourMs = 3_600_000
const newAccountMs = 24 * hourMs

/** The rule that a text breaks, in words for admins. */
export async function findBrokenRule(em: EntityManager, checked: Checked, baseUrl: string, at: Date) {
  const { title, text, isChange, author, textHash } = checked
  const links = countLinks(`${title}\n${text}`, baseUrl)

  if (links >= maxLinks) return `The text has ${links} links.`
  if (links > 0 && at.getTime() - author.createdAt.getTime() < newAccountMs)
    return 'The text has links, and the account is less than a day old.'
  const isLong = (text.trim() || title).length >= minRepeated

  if (!isChange && isLong && (await wasWritten(em, author.id, textHash, new Date(at.getTime() - hourMs)))) {
    return 'The same user wrote the same text within an hour.'
  }

  return undefined
}

/** With any scheme or none. */
const linkFormat = /\b[a-z]{2,12}:\/\/[^\s<>"'()[\]]{1,2000}|(?:\/\/|\bwww\.)[a-z0-9-]{1,63}\.[^\s<>"'()[\]]{1,2000}/gi

/** Links to this installation do not count. */
function countLinks(text: string, baseUrl: string) {
  return (text.match(linkFormat) ?? []).filter(link => !link.startsWith(baseUrl)).length
}
