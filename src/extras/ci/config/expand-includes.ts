import type { ConfigFiles } from './config-files.ts'
import type { Variables } from './evaluate-expression.ts'
import { findIncluded } from './find-included.ts'
import { InvalidConfig } from './invalid-config.ts'
import { deepMerge, isMapping, type Mapping, without } from './mapping.ts'
import { maxYamlBytes } from './max-yaml-bytes.ts'
import { parseYaml } from './parse-yaml.ts'

/** As GitLab has it. */
const maxIncludes = 150

export interface Expanded {
  config: Mapping
  /** The paths of the included files, in the order of their inclusion. */
  included: string[]
}

/** Merges the included files, and what they include, below the configuration. */
export async function expandIncludes(content: string, files: ConfigFiles, variables: Variables): Promise<Expanded> {
  const included: string[] = []
  let bytes = 0
  const config = await merge(content, '.gitlab-ci.yml', [])

  return { config, included }

  async function merge(text: string, name: string, chain: string[]): Promise<Mapping> {
    const config = parseConfig(text, name)
    let merged: unknown = {}

    for (const path of await findIncluded(config, files, variables)) merged = deepMerge(merged, await include(path, chain))

    return deepMerge(merged, without(config, 'include')) as Mapping
  }

  async function include(path: string, chain: string[]) {
    if (chain.includes(path)) throw new InvalidConfig(`Local file \`${path}\` includes itself`)
    if (included.push(path) > maxIncludes) throw new InvalidConfig(`Maximum of ${maxIncludes} nested includes are allowed!`)
    const text = await files.read(path)

    if (text === undefined) throw new InvalidConfig(`Local file \`${path}\` does not exist!`)
    if (text.trim() === '') throw new InvalidConfig(`Local file \`${path}\` is empty!`)
    bytes += Buffer.byteLength(text)
    if (bytes > maxYamlBytes) throw new InvalidConfig(`the included files are larger than ${maxYamlBytes / 1_048_576} MiB in all`)

    return merge(text, path, [...chain, path])
  }
}

function parseConfig(text: string, name: string) {
  const config = parseYaml(text, name)

  if (!isMapping(config))
    throw new InvalidConfig(name === '.gitlab-ci.yml' ? 'Invalid configuration format' : `${name}: Invalid configuration format`)

  return config
}
