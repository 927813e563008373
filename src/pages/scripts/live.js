import { all } from './dom.js'
import { refresh } from './refresh.js'

// <section id="alerts" data-live="30" data-topics="alerts:17">: replaced by the same element of the page as it is then: when the server
// says that a topic has changed, and every 30 seconds in any case, which is enough where a proxy or a limit cuts the events off.
const parts = all('[data-live][id]')
const seconds = Math.min(...parts.map(part => Number(part.dataset.live) || 30))
const topics = [...new Set(all('[data-topics]').flatMap(({ dataset }) => dataset.topics?.split(',') ?? []))].join()
// After each refresh the page rests for this many times as long as it took: a busy server is asked less often.
const rest = 15
const maxRestMs = 30_000

let events = /** @type {EventSource | undefined} */ (undefined)
let wasOpen = false
let isChanged = false
let isRefreshing = false

if (parts.length > 0) {
  listen()
  setInterval(update, seconds * 1000)
  document.addEventListener('visibilitychange', update)
  window.addEventListener('pagehide', stopListening)
  window.addEventListener('pageshow', listen)
}

function update() {
  listen()
  refreshSoon()
}

/** Only pages that are seen listen: browsers open few connections to one server. */
function listen() {
  if (document.visibilityState !== 'visible') return stopListening()
  if (topics === '' || (events && events.readyState !== EventSource.CLOSED)) return
  events = new EventSource(`/-/live?topics=${topics}`)
  events.addEventListener('message', refreshSoon)
  events.addEventListener('open', () => {
    // What changed while there was no connection is not told.
    if (wasOpen) refreshSoon()
    wasOpen = true
  })
}

function stopListening() {
  events?.close()
  events = undefined
  wasOpen = false
}

async function refreshSoon() {
  isChanged = true
  if (isRefreshing) return
  isRefreshing = true
  while (isChanged && document.visibilityState === 'visible') {
    isChanged = false
    const startedAt = performance.now()

    await refresh()
    const restMs = Math.min((performance.now() - startedAt) * rest, maxRestMs)

    await new Promise(resolve => setTimeout(resolve, restMs))
  }
  isRefreshing = false
}
