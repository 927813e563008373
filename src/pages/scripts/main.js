// Pages work without scripts. Each module adds one behaviour to the elements with its data attribute, by events on the document,
// so that parts which are replaced later have it too.
import './complete.js'
import './copy.js'
import './drafts.js'
import './keys.js'
import './live.js'
import './preview.js'
import './selection.js'
import './send.js'
import './suggest.js'
import './switcher.js'

document.documentElement.classList.add('scripted')

// On a phone, tabs are one row that scrolls.
for (const tabs of document.querySelectorAll('.tabs')) {
  const current = tabs.querySelector('[aria-current]')

  if (current) tabs.scrollLeft = current.getBoundingClientRect().left - tabs.getBoundingClientRect().left - tabs.clientWidth / 3
}

// The server writes times in the time zone of the profile, or else in this one.
// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS
document.cookie = `time_zone=${Intl.DateTimeFormat().resolvedOptions().timeZone}; path=/; max-age=31536000; samesite=lax`
