import type { FastifyReply } from 'fastify'
import { secretField } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import type { OwnerContext } from '#pages/namespaces/owner-context.ts'
import { copyBlock } from '#pages/setup/copy-block.ts'
import type { Runner } from '../runner.ts'

interface NewRunner {
  runner: Runner
  secret: string
  baseUrl: string
}

const install = `curl -L https://packages.gitlab.com/install/repositories/runner/gitlab-runner/script.deb.sh | sudo bash
sudo apt-get install gitlab-runner`

/** The token of a new runner, shown once, with the commands that use it. */
export function showRegistration(reply: FastifyReply, context: OwnerContext, { runner, secret, baseUrl }: NewRunner) {
  const register = `sudo gitlab-runner register --non-interactive --url "${baseUrl}" --token "${secret}"`
  const commands = [
    { name: 'Jobs run in the shell of the machine', text: `${register} --executor shell` },
    { name: 'Jobs run in Docker containers', text: `${register} --executor docker --docker-image alpine:latest` }
  ]

  return context.show(
    reply,
    'Register the runner',
    html`
    <p class="back"><a href="${context.url}">Runners</a></p>
    <h1>Register runner #${runner.id}</h1>
    <section class="made" role="status">${secretField({ name: 'token', label: 'Token', value: secret, hint: 'Copy it now, or run a command below; it will not be shown again.', isFocused: true })}</section>
    <h2>1. Install gitlab-runner</h2>
    ${copyBlock({ id: 'install', name: 'Debian and Ubuntu', text: install })}
    <p class="hint">For other systems, see <a href="https://docs.gitlab.com/runner/install/" rel="noreferrer">GitLab’s documentation</a>.</p>
    <h2>2. Register it, with one of these commands</h2>
    ${commands.map((command, n) => copyBlock({ id: `register-${n}`, ...command }))}
    <p>It then takes jobs, and the <a href="${context.url}">list of runners</a> shows it as online.</p>`
  )
}
