import Type from 'typebox'
import { maxCodeownersLength } from './codeowners.ts'
import { maxRulesLength } from './owner-rules.ts'
import type { Ownership } from './ownership-store.ts'

export const OwnershipChanges = Type.Object({
  rules: Type.Optional(
    Type.String({
      maxLength: maxRulesLength,
      description:
        'Rules, one per line: `path:src/billing/* @ann #acme/billing`, with `path:`, `module:`, `url:` or `tags.NAME:`. The last rule that matches wins.'
    })
  ),
  auto_assign: Type.Optional(
    Type.Boolean({ description: 'Assign errors that are new, or come back unassigned, to the first owner of their rule.' })
  )
})

export const OwnershipShape = Type.Object({ rules: Type.String(), auto_assign: Type.Boolean() })

export const NewCodeowners = Type.Object({
  content: Type.Optional(
    Type.String({
      maxLength: maxCodeownersLength,
      description: 'A CODEOWNERS file. Without it, that of the project’s repository: `CODEOWNERS`, or in `.github`, `.gitlab` or `docs`.'
    })
  )
})

export const ImportedCodeowners = Type.Object({
  ...OwnershipShape.properties,
  imported: Type.Integer({ description: 'Rules that were taken.' }),
  skipped: Type.Array(Type.Object({ line: Type.Integer(), text: Type.String() }), { description: 'Lines or owners that were not.' })
})

export function presentOwnership({ rules, autoAssigns }: Ownership) {
  return { rules, auto_assign: autoAssigns }
}
