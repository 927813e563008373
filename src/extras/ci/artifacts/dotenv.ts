import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Config } from '#config.ts'
import { Rejected } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Job } from '../jobs/job.ts'
import { encryptVariables, type GivenVariable } from '../pipelines/pipeline-variables.ts'

/** The most bytes that are read of a compressed report: gzip makes a small one no larger than this. */
export const maxDotenvBytes = 8192
/** Both as GitLab has it. */
const maxBytes = 5120
const maxVariables = 20

/** Keeps the variables of a job's first dotenv report for later jobs. They are encrypted, because they may be secret. */
export async function storeVariables(em: EntityManager, config: Config, { id, projectId }: Job, report: Readable) {
  const variables = parseDotenv(await inflate(await buffer(report)))

  await em.nativeUpdate(Job, { id, reportedVariables: null }, { reportedVariables: await encryptVariables(config, variables, projectId) })
}

async function inflate(content: Buffer) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await promisify(gunzip)(content, { maxOutputLength: maxBytes }))
  } catch {
    throw new Rejected(`a dotenv report must be UTF-8 text of at most ${maxBytes} bytes, compressed with gzip`)
  }
}

/** Lines of `KEY=value`; of several with the same key, the last counts. Quotes belong to the value; empty lines and comments are no variables. */
function parseDotenv(text: string): GivenVariable[] {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const variables = new Map(text === '' ? [] : lines.map(parseLine))

  if (variables.size > maxVariables) throw new Rejected(`a dotenv report can have at most ${maxVariables} variables`)

  return [...variables].map(([key, value]) => ({ key, value, variable_type: 'env_var' }))
}

function parseLine(line: string, index: number) {
  const at = line.indexOf('=')
  const key = line.slice(0, Math.max(at, 0)).trim()

  if (!/^\w{1,255}$/.test(key) || line.includes('\0')) throw new Rejected(`line ${index + 1} of the dotenv report is not KEY=value`)

  return [key, line.slice(at + 1).trim()] as const
}
