// Pages work without scripts. Each module adds one behaviour to the elements with its data attribute, by events on the document,
// so that parts which are replaced later have it too.
import './complete.js'
import './copy.js'
import './drafts.js'
import './fill.js'
import './keys.js'
import './live.js'
import './passkeys.js'
import './preview.js'
import './selection.js'
import './send.js'
import './suggest.js'
import './switcher.js'

document.documentElement.classList.add('scripted')

// On a phone, tabs are one row that scrolls: as far as the current one is in view, and to the start of another.
for (const tabs of document.querySelectorAll('.tabs')) {
  const current = tabs.querySelector('[aria-current]')
  const start = tabs.getBoundingClientRect().left
  const end = current ? current.getBoundingClientRect().right - start : 0
  const first = end > tabs.clientWidth && [...tabs.children].find(tab => end - tab.getBoundingClientRect().left + start <= tabs.clientWidth)

  if (first) tabs.scrollLeft = first.getBoundingClientRect().left - start
}

// The server writes times in the time zone of the profile, or else in this one.
// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS
document.cookie = `time_zone=${Intl.DateTimeFormat().resolvedOptions().timeZone}; path=/; max-age=31536000; samesite=lax`
