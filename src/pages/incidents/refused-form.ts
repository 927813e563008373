import type { EditableField } from '#incidents/edit-incident.ts'
import { type Html, html } from '../layout/html.ts'

export type FormName = EditableField | 'comment' | 'status_update' | 'alert' | 'error' | `note-${number}`

/** A form that was not accepted. It is shown again with what was typed. */
export interface RefusedForm {
  form: FormName
  message?: string
  /** The value that another user saved meanwhile; empty when they removed it. */
  theirs?: string
}

/** The message of a refused form. A conflict shows the other version: the form holds one's own. */
export function refusalOf(refusal: RefusedForm | undefined, form: FormName): Html | undefined {
  if (refusal?.form !== form) return undefined
  const { message, theirs } = refusal

  if (theirs === undefined) return html`<p class="problem" role="alert">${message}</p>`

  return html`
    <div class="problem" role="alert">
      <p><strong>Someone else changed this while you were editing.</strong> Your change is not saved yet. The current version:</p>
      ${theirs ? html`<pre class="theirs" tabindex="0">${theirs}</pre>` : html`<p><em>empty</em></p>`}
      <p>Your version is in the form. Saving it overwrites theirs.</p>
    </div>`
}
