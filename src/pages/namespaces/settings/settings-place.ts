import type { FastifyReply } from 'fastify'
import type { Html } from '../../layout/html.ts'
import type { BasicForm } from '../basic-fields.ts'

/** A project or group whose settings are shown. Each change is that of the REST API. */
export interface SettingsPlace {
  noun: 'project' | 'group'
  /** The path of the page. */
  url: string
  form: BasicForm
  fullPath: string
  isOwner: boolean
  /** What a deletion deletes. */
  content: string
  /** Undefined for what cannot be archived. */
  isArchived?: boolean
  /** Where it may be moved to: ids and paths. */
  targets: () => Promise<[id: string, path: string][]>
  save: (form: BasicForm) => Promise<unknown>
  rename: (path: string) => Promise<unknown>
  transfer: (targetId: string) => Promise<unknown>
  archive: (isArchived: boolean) => Promise<unknown>
  remove: () => Promise<unknown>
  show: (reply: FastifyReply, content: Html) => FastifyReply
}
