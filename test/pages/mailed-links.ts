import type { Test } from 'tap'
import { openSmtpServer } from '../support/smtp.ts'
import { eventually, openApp } from '../support/world.ts'

/** An app with a mail server, and the mails as people read them. */
export async function openWithMail(t: Test, env: Record<string, string> = {}) {
  const smtp = await openSmtpServer(t)
  const world = await openApp(t, { env: { SMTP_URL: smtp.url, ...env } })

  await world.work('mail')
  await world.work('deliveries')
  const mailsTo = (email: string) => smtp.letters.filter(({ to }) => to[0] === email).map(({ data }) => decoded(data))
  const mailTo = (email: string, subject: string) =>
    eventually(() => mailsTo(email).findLast(text => text.includes(`Subject: ${subject}`)), `${email} is sent "${subject}"`)

  return { ...world, smtp, mailsTo, mailTo, linkTo: async (email: string, subject: string) => linkIn(await mailTo(email, subject)) }
}

/** The path of the first link. */
export function linkIn(text: string) {
  return /http:\/\/tocsin\.test(\/\S+\?\S+)/.exec(text)![1]!
}

function decoded(data: string) {
  return data.replaceAll('=\n', '').replaceAll('=3D', '=')
}
