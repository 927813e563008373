import type { Config } from '#config.ts'
import { User } from '#identity/users/user.ts'
import { escapeHtml } from '#lib/escape-html.ts'
import { Namespace } from '#namespaces/namespace.ts'
import type { StoredMail } from '#outbox/mail-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { MailMessage } from '#platform/mail/mailer.ts'
import { AccessRequest } from '#projects/access-requests/access-request.ts'
import { Invitation } from '#projects/invitations/invitation.ts'
import { invitationToken } from '#projects/invitations/invitation-token.ts'
import { roleName } from '#projects/members/member.ts'
import { Project } from '#projects/project.ts'
import { cut } from '../messages/wording.ts'
import { findMailbox } from './send-by-mail.ts'

/** What a mail is about, as its recipient reads it. */
interface Place {
  /** "the project Shop (company/shop)" */
  name: string
  url: string
  membersUrl: string
}

interface MailText {
  subject: string
  opening: string
  link: { label: string; url: string }
  closing: string
}

/** Undefined when there is no reason to send it any more. */
export async function writePlaceMail(em: EntityManager, stored: StoredMail, config: Config, at: Date): Promise<MailMessage | undefined> {
  const place = await findPlace(em, stored, config.baseUrl)
  const actor = stored.actorId ? await em.findOne(User, { id: stored.actorId }) : null
  const written = place && (await writers[stored.kind](em, { stored, place, actor, config, at }))

  if (!written) return undefined
  const { to, letter } = written
  const { subject, opening, link, closing } = letter

  return {
    to,
    subject: cut(subject, 250),
    text: [opening, link.url, closing].join('\n\n'),
    html: `<p>${escapeHtml(opening)}</p>\n<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>\n<p>${escapeHtml(closing)}</p>\n`,
    id: `access-${stored.id}`
  }
}

interface Context {
  stored: StoredMail
  place: Place
  actor: User | null
  config: Config
  at: Date
}

type Writer = (em: EntityManager, context: Context) => Promise<{ to: MailMessage['to']; letter: MailText } | undefined>

const writers: Record<StoredMail['kind'], Writer> = {
  async invitation(em, { stored, place, actor, config, at }) {
    const invitation = stored.invitationId ? await em.findOne(Invitation, { id: stored.invitationId }) : null

    if (!invitation?.isOpen(at)) return undefined
    const { email, accessLevel } = invitation
    const invited = actor ? `${nameOf(actor)} invited you` : 'You are invited'
    const url = `${config.baseUrl}/-/invites/${await invitationToken(config, invitation)}`
    const opening = `${invited} to ${place.name} at ${config.baseUrl}, with the role ${roleName(accessLevel)}.`
    const closing = `The invitation is for ${email} and ends after 90 days. If you do not know of this, ignore the message.`

    return {
      to: { name: '', address: email },
      letter: { subject: `${invited} to ${place.name}`, opening, link: { label: 'Open the invitation', url }, closing }
    }
  },

  async 'access.requested'(em, { stored, place, actor }) {
    const { projectId, groupId, actorId } = stored
    const isOpen = (await em.count(AccessRequest, { project: projectId, group: groupId, user: actorId ?? 0 })) > 0

    if (!isOpen || !actor) return undefined
    const subject = `${nameOf(actor)} requests access to ${place.name}`
    const link = { label: 'Approve or deny', url: place.membersUrl }

    return toUser(em, stored, {
      subject,
      opening: `${subject}.`,
      link,
      closing: `You get this because you manage the members of ${place.name}.`
    })
  },

  async 'access.granted'(em, { stored, place }) {
    const subject = `You have access to ${place.name}`
    const opening = `You are a member of ${place.name} now, with the role ${roleName(stored.accessLevel ?? 0)}.`

    return toUser(em, stored, {
      subject,
      opening,
      link: { label: 'Open it', url: place.url },
      closing: 'You can leave on the page of its members.'
    })
  },

  async 'access.denied'(em, { stored, place }) {
    const subject = `Your request for access to ${place.name} was denied`

    return toUser(em, stored, {
      subject,
      opening: `${subject}.`,
      link: { label: 'Open it', url: place.url },
      closing: 'Ask those who manage it, if you think that this is a mistake.'
    })
  }
}

/** Users get mail while they can sign in, at a confirmed address. */
async function toUser(em: EntityManager, { userId }: StoredMail, letter: MailText) {
  const user = userId ? await em.findOne(User, { id: userId, state: 'active', confirmedAt: { $ne: null } }) : null

  return user ? { to: await findMailbox(em, user.id), letter } : undefined
}

async function findPlace(em: EntityManager, { projectId, groupId }: StoredMail, baseUrl: string): Promise<Place | null> {
  const project = projectId ? await em.findOne(Project, { id: projectId }) : null
  const group = groupId ? await em.findOne(Namespace, { id: groupId }) : null

  if (project) {
    const url = `${baseUrl}/projects/${project.id}`

    return { name: `the project ${cut(project.name, 100)} (${project.fullPath})`, url, membersUrl: `${url}/members` }
  }

  return (
    group && {
      name: `the group ${cut(group.name, 100)} (${group.fullPath})`,
      url: `${baseUrl}/groups/${group.fullPath}`,
      membersUrl: `${baseUrl}/groups/${group.id}/-/members`
    }
  )
}

function nameOf({ name, username }: User) {
  return `${cut(name, 100)} (@${username})`
}
