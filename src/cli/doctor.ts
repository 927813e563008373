import { BadConfig, type Config, readConfig } from '#config.ts'
import type { Command, Input } from './command.ts'
import { checkDatabase } from './doctor/database.ts'
import { type Finding, fine, problem, warning } from './doctor/finding.ts'
import { checkDirectories, checkDisks, checkPort } from './doctor/machine.ts'
import { checkMail, checkProxies } from './doctor/network.ts'

const marks = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM' }

export const doctor: Command = async input => {
  const findings = await examine(input)
  const worst = findings.some(({ state }) => state === 'problem')
    ? 'problem'
    : findings.some(({ state }) => state === 'warning')
      ? 'warning'
      : 'ok'
  const lines = findings.map(({ check, state, message, fix }) => {
    const line = `${marks[state]}  ${check.padEnd(13)}  ${message}`

    return fix ? `${line}\n${' '.repeat(24)}→ ${fix}` : line
  })

  return { json: { state: worst, checks: findings }, text: lines.join('\n'), isFailure: worst === 'problem' }
}

/** Without valid settings, nothing else can be checked. */
async function examine(input: Input): Promise<Finding[]> {
  let config: Config

  try {
    config = readConfig()
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error

    return error.problems.map(text => problem('configuration', text, 'Change the environment variable, then run the doctor again.'))
  }
  const settings = config.warnings.map(text => warning('configuration', text))
  const inDatabase = input.hasDatabase
    ? await checkDatabase(config, input.databaseProblem)
    : [fine('database', 'It is created in DATA_DIR at the first start.')]

  return [
    ...(settings.length > 0 ? settings : [fine('configuration', 'The settings are valid.')]),
    ...(await checkPort(config, input)),
    ...inDatabase,
    ...(await checkDisks(config)),
    ...(await checkMail(config)),
    ...(await checkProxies(config)),
    ...(await checkDirectories(config))
  ]
}
