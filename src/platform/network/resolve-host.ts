import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'

const timeoutMs = 2000
const tries = 2
/** The DNS does not know the name: the system may, from its hosts file or search domains. */
const isUnknown = ({ code }: NodeJS.ErrnoException) => code === 'ENOTFOUND' || code === 'ENODATA' || code === 'ECONNREFUSED'

/**
 * Asks the DNS without a thread. `dns.lookup` has two threads of the pool for all names: a few names whose servers do not
 * answer would delay every other lookup of the process.
 */
export async function resolveHost(host: string): Promise<LookupAddress[]> {
  if (!host.includes('.')) return lookup(host, { all: true })
  const resolver = new Resolver({ timeout: timeoutMs, tries })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = answers.flatMap((answer, n) =>
    answer.status === 'fulfilled' ? answer.value.map(address => ({ address, family: n === 0 ? 4 : 6 })) : []
  )
  const failure = answers.find(answer => answer.status === 'rejected' && !isUnknown(answer.reason))

  if (found.length > 0) return found
  if (failure) throw (failure as PromiseRejectedResult).reason

  return lookup(host, { all: true })
}
