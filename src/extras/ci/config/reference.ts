import { defineSequenceTag } from 'js-yaml'
import { expand } from './expand.ts'
import { InvalidConfig } from './invalid-config.ts'
import { valueAt } from './mapping.ts'

const maxDepth = 10

/** `!reference [job, script]`: the value at another place of the configuration. */
export class Reference {
  path: string[]

  constructor(path: unknown[]) {
    this.path = path.map(String)
  }

  toString() {
    return `!reference [${this.path.map(key => JSON.stringify(key)).join(', ')}]`
  }
}

export const referenceTag = defineSequenceTag<unknown[], Reference>('!reference', {
  create: () => [],
  addItem: (items, item) => {
    items.push(item)
  },
  finalize: items => new Reference(items),
  identify: value => value instanceof Reference,
  represent: ({ path }: Reference) => path
})

/** Replaces every reference. What a reference points to may contain further ones. */
export function resolveReferences(config: unknown) {
  return expand(config, value => (value instanceof Reference ? resolve(value) : value))

  function resolve(reference: Reference) {
    let value: unknown = reference

    for (let depth = 0; value instanceof Reference; depth++) {
      if (depth === maxDepth) throw new InvalidConfig(`${reference} is part of a circular chain`)
      value = find(config, value)
    }

    return value
  }
}

function find(config: unknown, reference: Reference) {
  const value = reference.path.reduce(valueAt, config)

  if (reference.path.length === 0 || value === undefined) throw new InvalidConfig(`${reference} could not be found`)

  return value
}
