import type { Page } from 'playwright-core'

/** Elements, attributes and addresses that no page of ours has. */
export function foreignMarkup(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    // The browser's own view of text and JSON.
    if (document.contentType !== 'text/html') return []
    const names = 'iframe, object, embed, base, style, video, audio, math, marquee, frame, [srcdoc], [style], meta[http-equiv]'
    const elements = [...document.querySelectorAll('*')]
    const isForeign = element =>
      (element.matches(names) && !element.matches('iframe.board[src="/admin/queues/board"]')) ||
      (element.matches('script') && !element.matches('[type=module][src^="/-/"]')) ||
      [...element.attributes].some(({ name }) => name.startsWith('on'))
    const links = elements.flatMap(element => ['href', 'src', 'action', 'formaction'].map(name => element.getAttribute(name) ?? ''))

    return [
      ...elements.filter(isForeign).map(element => element.outerHTML.slice(0, 200)),
      ...links.filter(link => /^(?!https?:)[a-z]+:/i.test(link.replace(/[^!-~]/g, '')))
    ]
  })()`)
}
