import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { Form } from '../layout/form.ts'
import type { Html } from '../layout/html.ts'
import type { BasicFields } from './basic-fields.ts'

/** A project or group whose settings are shown. Each change is that of the REST API. */
export interface SettingsContext {
  noun: 'project' | 'group'
  /** The path of the page. */
  url: string
  name: string
  path: string
  form: Form<typeof BasicFields>
  fullPath: string
  isOwner: boolean
  /** What a deletion deletes. */
  content: string
  /** When it was marked for deletion. */
  markedAt?: Date | null
  /** It is marked because the group is that it is in. */
  isMarkedWithGroup: boolean
  /** Days from the mark to the deletion; 0 deletes at once. */
  periodDays: number
  /** Undefined for what cannot be archived. */
  isArchived?: boolean
  /** Where it may be moved to: ids and paths. */
  targets: () => Promise<[id: string, path: string][]>
  save: (body: Type.Static<typeof BasicFields>) => Promise<unknown>
  rename: (path: string) => Promise<unknown>
  transfer: (targetId: string) => Promise<unknown>
  archive: (isArchived: boolean) => Promise<unknown>
  /** At once if it is marked. */
  remove: () => Promise<'marked' | 'deleted' | 'purging'>
  restore: () => Promise<unknown>
  show: (reply: FastifyReply, content: Html) => FastifyReply
}

/** What owners do with a project or group, and what they enter for it. */
export const actionForms = {
  path: Type.Object({ path: Type.String() }),
  transfer: Type.Object({ target: Type.String() }),
  archive: Type.Object({ archived: Type.Enum(['true', 'false']) }),
  deletion: Type.Object({ full_path: Type.String() }),
  restore: Type.Object({})
}
export type SettingsAction = keyof typeof actionForms

/** A change that was refused, and why. */
export interface Refused {
  action: SettingsAction
  form: Form
}

/** The form as it was sent, if it is the one that was refused. */
export function formFor<Action extends SettingsAction>(action: Action, refused: Refused | undefined, values = {}) {
  return (refused?.action === action ? refused.form : new Form(actionForms[action], values)) as Form<(typeof actionForms)[Action]>
}
