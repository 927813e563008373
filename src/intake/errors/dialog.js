/**
 * Runs in users' web pages: asks the visitor what happened and posts the answer to the script's own address. Uses neither
 * HTML nor style elements, which a page's Content-Security-Policy could forbid.
 */
// biome-ignore lint/correctness/noUnusedVariables: the server appends the call, with the options.
function showReportDialog({ lang, texts, visitor, styles }) {
  const host = create('div', { lang })
  const root = host.attachShadow({ mode: 'open' })
  const dialog = create('dialog', { ariaLabel: texts.title })
  const close = create('button', { type: 'button', textContent: texts.labelClose, className: 'plain', onclick: () => dialog.close() })
  const showSuccess = () => {
    dialog.replaceChildren(
      create('p', { role: 'status', textContent: texts.successMessage }),
      create('div', { className: 'buttons' }, close)
    )
    close.focus()
  }

  dialog.append(reportForm({ texts, visitor, close, address: document.currentScript.src, onSent: showSuccess }))
  dialog.onclose = () => {
    host.remove()
    // The SDK waits for this message to call onClose.
    window.postMessage('__sentry_reportdialog_closed__', '*')
  }
  root.adoptedStyleSheets = [new CSSStyleSheet()]
  root.adoptedStyleSheets[0].replaceSync(styles)
  root.append(dialog)
  document.body.append(host)
  dialog.showModal()
  root.querySelector('textarea').focus()
}

function reportForm({ texts, visitor, close, address, onSent }) {
  const message = create('p', { role: 'alert', className: 'error' })
  const submit = create('button', { type: 'submit', textContent: texts.labelSubmit })

  return create(
    'form',
    {
      async onsubmit(event) {
        event.preventDefault()
        submit.disabled = true
        message.textContent = ''
        const status = await send(address, event.target)

        submit.disabled = false
        if (status === 200) onSent()
        else message.textContent = status === 400 ? texts.errorFormEntry : texts.errorGeneric
      }
    },
    create('h2', { textContent: texts.title }),
    create('p', {}, `${texts.subtitle} ${texts.subtitle2}`),
    field('input', texts.labelName, { name: 'name', value: visitor.name, autocomplete: 'name', maxLength: 128 }),
    field('input', texts.labelEmail, { name: 'email', type: 'email', value: visitor.email, autocomplete: 'email', maxLength: 254 }),
    field('textarea', texts.labelComments, { name: 'comments', required: true, rows: 5, maxLength: 4096 }),
    message,
    create('div', { className: 'buttons' }, submit, close)
  )
}

/** Returns the status of the response; undefined without a response. */
async function send(address, form) {
  const body = new URLSearchParams(new FormData(form))

  try {
    return (await fetch(address, { method: 'POST', body, credentials: 'omit' })).status
  } catch {}
}

function field(tag, label, properties) {
  return create('label', {}, label, create(tag, properties))
}

function create(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties)

  element.append(...children)

  return element
}
