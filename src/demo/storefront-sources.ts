/** The storefront's code, by release: what the bug was, and what fixed it. */
const first: Record<string, string> = {
  'README.md': `# Storefront\n\nThe shop in the browser. \`npm run build\` bundles \`src/main.ts\` with esbuild.\n`,
  'src/money.ts': `export function formatPrice(cents: number, currency: string) {
  return new Intl.NumberFormat(navigator.language, { style: 'currency', currency }).format(cents / 100)
}
`,
  'src/cart.ts': `import { formatPrice } from './money'

export interface Item {
  sku: string
  cents: number
  quantity: number
  discount?: { percent: number }
}

export function lineTotal(item: Item) {
  const { percent } = item.discount!

  return Math.round(item.cents * item.quantity * (1 - percent / 100))
}

export function cartTotal(items: Item[]) {
  return items.reduce((sum, item) => sum + lineTotal(item), 0)
}

export function describeCart(items: Item[], currency: string) {
  return items.length + ' items, ' + formatPrice(cartTotal(items), currency)
}
`,
  'src/checkout.ts': `import { cartTotal, type Item } from './cart'

export async function placeOrder(items: Item[], coupon: string | null) {
  const response = await fetch('/api/orders', {
    method: 'POST',
    body: JSON.stringify({ items, coupon, total: cartTotal(items) })
  })

  if (!response.ok) throw new Error('Order could not be placed: ' + response.status)
  const order = await response.json()

  location.assign(order.payment.redirect.url)
}
`,
  'src/search.ts': `export function readFilters(stored: string) {
  return JSON.parse(stored)
}

export async function suggest(term: string, results: HTMLElement) {
  const response = await fetch('/api/suggest?q=' + encodeURIComponent(term))
  const { products } = await response.json()

  results.replaceChildren(...products.map((product: { title: string }) => new Option(product.title)))
}
`,
  'src/main.ts': `import { describeCart } from './cart'
import { placeOrder } from './checkout'
import { readFilters, suggest } from './search'

const items = JSON.parse(localStorage.getItem('cart') ?? '[]')

document.querySelector('#pay')?.addEventListener('click', () => {
  void placeOrder(items, new URLSearchParams(location.search).get('coupon'))
})

document.querySelector<HTMLInputElement>('#search')?.addEventListener('input', event => {
  const { value } = event.target as HTMLInputElement

  void suggest(value, document.querySelector('#results')!)
})

window.addEventListener('load', () => {
  document.title = describeCart(items, 'EUR')
  readFilters(localStorage.getItem('filters')!)
})
`
}

const second: Record<string, string> = {
  ...first,
  'src/search.ts': first['src/search.ts']!.replace('return JSON.parse(stored)', "return JSON.parse(stored || '{}')"),
  'src/checkout.ts': first['src/checkout.ts']!.replace(
    '  location.assign(',
    "  if (order.status === 'paid') return history.pushState(null, '', '/thanks/' + order.id)\n  location.assign("
  )
}

const third: Record<string, string> = {
  ...second,
  'src/wishlist.ts': `export async function loadWishlist(list: HTMLElement) {
  const response = await fetch('/api/wishlist')
  const wishlist = await response.json()

  for (const entry of wishlist.entries) list.append(entry.product.title)
}
`,
  'src/main.ts': `${first['src/main.ts']!.replace("from './search'\n", "from './search'\nimport { loadWishlist } from './wishlist'\n")}
document.querySelector('#wishlist')?.addEventListener('toggle', event => {
  void loadWishlist(event.target as HTMLElement)
})
`
}

export const storefrontReleases = [
  { author: 0, message: 'Prices in the currency of the browser', files: first },
  { author: 1, message: 'Skip the redirect for orders that are paid\n\nFilters may be empty, too.', files: second },
  { author: 2, message: 'A wishlist', files: third }
]
