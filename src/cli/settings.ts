import { readConfigOrExit } from '#config.ts'
import { connectionsOf } from '#platform/database/connections.ts'
import { settingsHelp } from '#settings/describe-settings.ts'

/** For `start --help`. */
export const settings = async () => ({ text: settingsHelp(), json: undefined })

/** Ends with every mistake in the settings, or says how many database connections a process may open. */
export const connections = async () => ({ text: String(connectionsOf(readConfigOrExit())), json: undefined })
