import type { Config } from '#config.ts'
import { User } from '#identity/users/user.ts'
import { escapeHtml } from '#lib/escape-html.ts'
import { Namespace } from '#namespaces/namespace.ts'
import type { OutboxMail } from '#outbox/outbox-entry.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { MailMessage } from '#platform/mail/mailer.ts'
import { AccessRequest } from '#projects/access-requests/access-request.ts'
import { Invitation } from '#projects/invitations/invitation.ts'
import { invitationUrl } from '#projects/invitations/invitation-token.ts'
import { roleName } from '#projects/members/member.ts'
import { Project } from '#projects/project.ts'
import { cut } from '../messages/wording.ts'
import { accountWriters } from './account-letters.ts'
import { type Context, nameOf, toUser, type Writer, type Written } from './letter.ts'

/** What a mail is about, as its recipient reads it. */
interface Subject {
  /** "the project Shop (company/shop)" */
  name: string
  url: string
  membersUrl: string
}

/** Undefined when there is no reason to send it any more. */
export async function writeLetter(em: EntityManager, mail: OutboxMail, config: Config, at: Date): Promise<MailMessage | undefined> {
  const actor = mail.actorId ? await em.findOne(User, { id: mail.actorId }) : null
  const written = await writers[mail.kind](em, { mail, actor, config, at })

  if (!written) return undefined
  const { to, letter } = written
  const { subject, opening, link, closing } = letter

  return {
    to,
    subject: cut(subject, 250),
    text: [opening, link.url, closing].join('\n\n'),
    html: `<p>${escapeHtml(opening)}</p>\n<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>\n<p>${escapeHtml(closing)}</p>\n`,
    id: `mail-${mail.id}`
  }
}

const writers: Record<OutboxMail['kind'], Writer> = {
  ...accountWriters,

  invitation: aboutProjectOrGroup(async (em, { mail, about, actor, config, at }) => {
    const invitation = await em.findOne(Invitation, { id: mail.subjectId })

    if (!invitation?.isOpen(at)) return undefined
    const { email, accessLevel } = invitation
    const invited = actor ? `${nameOf(actor)} invited you` : 'You are invited'
    const url = await invitationUrl(config, invitation)
    const opening = `${invited} to ${about.name} at ${config.baseUrl}, with the role ${roleName(accessLevel)}.`
    const closing = `The invitation is for ${email} and expires after 90 days. If you did not expect this, ignore the message.`

    return {
      to: { name: '', address: email },
      letter: { subject: `${invited} to ${about.name}`, opening, link: { label: 'View invitation', url }, closing }
    }
  }),

  'access.requested': aboutProjectOrGroup(async (em, { mail, about, actor }) => {
    const { projectId, groupId, actorId } = mail
    const isOpen = (await em.count(AccessRequest, { project: projectId, group: groupId, user: actorId ?? 0 })) > 0

    if (!isOpen || !actor) return undefined
    const subject = `${nameOf(actor)} requests access to ${about.name}`
    const link = { label: 'Approve or deny', url: about.membersUrl }

    return toUser(em, mail, {
      subject,
      opening: `${subject}.`,
      link,
      closing: `You're receiving this because you manage the members of ${about.name}.`
    })
  }),

  'access.granted': aboutProjectOrGroup(async (em, { mail, about }) => {
    const subject = `You have access to ${about.name}`
    const opening = `You are now a member of ${about.name}, with the role ${roleName(mail.data.accessLevel ?? 0)}.`

    return toUser(em, mail, {
      subject,
      opening,
      link: { label: 'Open it', url: about.url },
      closing: 'You can leave on its members page.'
    })
  }),

  'access.denied': aboutProjectOrGroup(async (em, { mail, about }) => {
    const subject = `Your request for access to ${about.name} was denied`

    return toUser(em, mail, {
      subject,
      opening: `${subject}.`,
      link: { label: 'Open it', url: about.url },
      closing: 'If you think this is a mistake, contact its maintainers or owners.'
    })
  })
}

/** Nothing is written about a project or a group that is gone. */
function aboutProjectOrGroup(write: (em: EntityManager, context: Context & { about: Subject }) => Promise<Written>): Writer {
  return async (em, context) => {
    const about = await findSubject(em, context.mail, context.config.baseUrl)

    return about ? write(em, { ...context, about }) : undefined
  }
}

async function findSubject(em: EntityManager, { projectId, groupId }: OutboxMail, baseUrl: string): Promise<Subject | null> {
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
