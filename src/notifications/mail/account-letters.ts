import { sql } from '@mikro-orm/core'
import { confirmationToken } from '#identity/emails/confirm-email.ts'
import { UserEmail } from '#identity/emails/user-email.ts'
import { maySetPassword, passwordUrl } from '#identity/passwords/password-link.ts'
import { signUpUrl } from '#identity/sign-up/sign-up-link.ts'
import { User } from '#identity/users/user.ts'
import type { OutboxMail } from '#outbox/outbox-entry.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { type Context, type Letter, nameOf, toUser, type Writer } from './letter.ts'

const unexpected = 'If you did not expect this, ignore the message.'

/** What people are told about their own account. */
export const accountWriters = {
  async confirmation(em, { mail, config }) {
    const { email = '' } = mail.data
    const user = await em.findOne(User, { id: mail.subjectId })
    const address = user?.email === email ? user : await em.findOne(UserEmail, { userId: mail.subjectId, email })

    if (!user || !address || address.confirmedAt) return undefined
    const token = await confirmationToken(config, user.id, email)
    const url = `${config.baseUrl}/users/confirmation?confirmation_token=${token}`

    return {
      to: { name: user.name, address: email },
      letter: {
        subject: 'Confirm your e-mail address',
        opening: `${user.username} at ${config.baseUrl} uses this e-mail address. Follow the link to confirm it:`,
        link: { label: `Confirm ${email}`, url },
        closing: unexpected
      }
    }
  },

  'password.reset': withPasswordLink(({ username }, { config }) => ({
    subject: 'Reset your password',
    opening: `A new password was requested for ${username} at ${config.baseUrl}. Follow the link within two hours to choose one:`,
    label: 'Choose a password',
    closing: 'If you did not ask for it, ignore the message: your password stays as it is.'
  })),

  'password.welcome': withPasswordLink(({ username }, { config, actor }) => ({
    subject: `Your account at ${new URL(config.baseUrl).host}`,
    opening: `${actor ? `${nameOf(actor)} created the account` : 'There is an account'} ${username} for you at ${config.baseUrl}. Follow the link within seven days to choose a password:`,
    label: 'Choose a password',
    closing: unexpected
  })),

  async 'password.changed'(em, { mail, config }) {
    const user = await em.findOne(User, { id: mail.subjectId })

    if (!user) return undefined

    return toUser(em, mail, {
      subject: 'Your password was changed',
      opening: `The password of ${user.username} at ${config.baseUrl} was changed, and all other sessions were signed out.`,
      link: { label: 'Sign in', url: `${config.baseUrl}/users/sign_in` },
      closing: 'If this was not you, use “Forgot your password?” on that page now, and tell an administrator.'
    })
  },

  async 'identity.connected'(em, { mail, config }) {
    const user = await em.findOne(User, { id: mail.subjectId })

    if (!user) return undefined

    return toUser(em, mail, {
      subject: `An account at ${mail.data.provider} was connected`,
      opening: `An account at ${mail.data.provider} was connected to ${user.username} at ${config.baseUrl}. Whoever has it can sign in as you.`,
      link: { label: 'Connected sign-ins', url: `${config.baseUrl}/-/profile/identities` },
      closing: 'If this was not you, disconnect it and change your password now, and tell an administrator.'
    })
  },

  'passkey.added': aboutPasskey('added', 'Anyone who holds this passkey can sign in as you.'),
  'passkey.removed': aboutPasskey('removed', 'It no longer signs in.'),

  async 'sign-up.link'(em, { mail, config, at }) {
    const { email = '', expiresAt = 0 } = mail.data
    const expiry = new Date(expiresAt)

    if (expiry <= at) return undefined
    const letter = (await isTaken(em, email))
      ? {
          subject: 'You already have an account',
          opening: `Someone asked for an account at ${config.baseUrl} with this e-mail address, which has one already.`,
          link: { label: 'Sign in', url: `${config.baseUrl}/users/sign_in` },
          closing: unexpected
        }
      : {
          subject: 'Create your account',
          opening: `Follow the link within 24 hours to create an account at ${config.baseUrl}:`,
          link: { label: 'Create an account', url: await signUpUrl(config, email, expiry) },
          closing: unexpected
        }

    return { to: { name: '', address: email }, letter }
  },

  async 'sign-up.pending'(em, { mail, actor, config }) {
    if (!actor?.isPending()) return undefined

    return toUser(em, mail, {
      subject: `${nameOf(actor)} is waiting for approval`,
      opening: `${nameOf(actor)} signed up at ${config.baseUrl} with the address ${actor.email}.`,
      link: { label: 'Approve or reject', url: `${config.baseUrl}/admin/users/${actor.id}` },
      closing: 'You’re receiving this because you are an administrator.'
    })
  },

  async 'sign-up.approved'(em, { mail, config }) {
    return toUser(em, mail, {
      subject: 'Your account was approved',
      opening: `You can now sign in at ${config.baseUrl}.`,
      link: { label: 'Sign in', url: `${config.baseUrl}/users/sign_in` },
      closing: unexpected
    })
  },

  async 'sign-up.rejected'(_em, { mail, config }) {
    return {
      to: { name: '', address: mail.data.email! },
      letter: {
        subject: 'Your account was not approved',
        opening: `An administrator of ${config.baseUrl} did not approve your account, and it was deleted.`,
        link: { label: config.baseUrl, url: config.baseUrl },
        closing: 'If you think this is a mistake, contact them.'
      }
    }
  }
} satisfies Partial<Record<OutboxMail['kind'], Writer>>

function aboutPasskey(change: string, effect: string): Writer {
  return async (em, { mail, config }) => {
    const user = await em.findOne(User, { id: mail.subjectId })

    if (!user) return undefined

    return toUser(em, mail, {
      subject: `A passkey was ${change}`,
      opening: `The passkey “${mail.data.passkey}” of ${user.username} at ${config.baseUrl} was ${change}. ${effect}`,
      link: { label: 'Your passkeys', url: `${config.baseUrl}/-/profile/passkeys` },
      closing: 'If this was not you, change your password now, and tell an administrator.'
    })
  }
}

/** Also as another address of a user. */
async function isTaken(em: EntityManager, email: string) {
  const where = { [sql.lower('email')]: email.toLowerCase() }

  return (await em.count(User, where)) + (await em.count(UserEmail, where)) > 0
}

type Text = Pick<Letter, 'subject' | 'opening' | 'closing'> & { label: string }

/** Sent to the primary address, confirmed or not: following the link confirms it. */
function withPasswordLink(write: (user: User, context: Context) => Text) {
  return async (em: EntityManager, context: Context) => {
    const { mail, config, at } = context
    const user = await em.findOne(User, { id: mail.subjectId })
    const expiresAt = new Date(mail.data.expiresAt ?? 0)

    if (!user || !maySetPassword(user) || expiresAt <= at) return undefined
    const { label, ...text } = write(user, context)
    const link = { label, url: await passwordUrl(config, user, expiresAt) }

    return { to: { name: user.name, address: user.email }, letter: { ...text, link } }
  }
}
