import {
  boolYaml11Tag,
  defineScalarTag,
  floatYaml11Tag,
  intYaml11Tag,
  load,
  mapTag,
  mergeTag,
  NOT_RESOLVED,
  nullYaml11Tag,
  Schema,
  seqTag,
  strTag,
  YAMLException
} from 'js-yaml'
import { InvalidConfig } from './invalid-config.ts'
import { maxYamlBytes } from './max-yaml-bytes.ts'
import { referenceTag } from './reference.ts'

/** As Ruby reads booleans, and with it GitLab: `yes` and `on`, but not `y` and `n`. */
const boolTag = defineScalarTag(boolYaml11Tag.tagName, {
  ...boolYaml11Tag,
  resolve: (source, ...rest) => (source.length === 1 ? NOT_RESOLVED : boolYaml11Tag.resolve(source, ...rest))
})

/** Numbers that JavaScript would round stay text. */
const intTag = defineScalarTag<number | string>(intYaml11Tag.tagName, {
  ...intYaml11Tag,
  resolve: (source, ...rest) => {
    const number = intYaml11Tag.resolve(source, ...rest)

    return number === NOT_RESOLVED || Number.isSafeInteger(number) ? number : source
  }
})

/** A symbol of Ruby, which GitLab reads as the text after the colon: `:script:` is the key `script`. */
const symbolTag = defineScalarTag('!ruby/symbol', {
  implicit: true,
  implicitFirstChars: [':'],
  resolve: source => (source.length > 1 ? source.slice(1) : NOT_RESOLVED),
  identify: () => false,
  represent: String
})

const schema = new Schema([symbolTag, strTag, seqTag, mapTag, nullYaml11Tag, boolTag, intTag, floatYaml11Tag, mergeTag, referenceTag])

/** One document of YAML 1.1, with `!reference`. Bounded in size, depth and merges; aliases share what they point to, so expand it with a limit. */
export function parseYaml(text: string, name = '.gitlab-ci.yml') {
  if (Buffer.byteLength(text) > maxYamlBytes) throw new InvalidConfig(`${name}: the file is larger than ${maxYamlBytes / 1_048_576} MiB`)

  try {
    return load(text, { schema, json: true })
  } catch (error) {
    throw new InvalidConfig(`${name}: ${describe(error)}`)
  }
}

function describe(error: unknown) {
  if (!(error instanceof YAMLException)) return 'the file is not valid YAML'
  const { reason, mark } = error

  if (reason.includes('single document')) return 'several YAML documents are not supported, and neither is a header with spec:inputs'

  return mark ? `(line ${mark.line + 1}, column ${mark.column + 1}): ${reason}` : reason
}
