import type { FastifyReply } from 'fastify'
import { viewerOf } from '#identity/identify.ts'
import type { Viewer } from '#identity/viewer.ts'
import { alertBot } from '#issues/present-issue.ts'
import { externalLink } from '../layout/external-link.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'

/** The author of what alerts caused. */
export function alertBotPage(reply: FastifyReply) {
  return page(
    reply,
    { title: alertBot.name },
    html`<h1>${alertBot.name}</h1><p class="lead">@${alertBot.username}</p><p>Opens and closes incidents with their alerts.</p>`
  )
}

/** A user's public profile. A private one has only the name for others. */
export function userPage(reply: FastifyReply, user: Viewer) {
  const reader = viewerOf(reply.request)
  const isOpen = !user.isPrivateProfile || reader?.isAdmin || reader?.id === user.id
  const facts = [
    ['Job title', user.jobTitle],
    ['Organisation', user.organization],
    ['Location', user.location],
    ['E-mail', user.publicEmail],
    ['Website', user.websiteUrl && externalLink(user.websiteUrl)]
  ] as const

  return page(
    reply,
    { title: user.name },
    html`
    <h1>${user.name}</h1>
    <p class="lead">@${user.username}</p>
    ${isOpen && html`${user.bio && html`<p class="user-text">${user.bio}</p>`}<dl class="facts">${facts.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`}
    ${reader?.id === user.id && html`<p><a class="button plain" href="/-/profile">Edit your profile</a></p>`}`
  )
}
