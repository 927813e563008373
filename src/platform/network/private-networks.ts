import ipaddr from 'ipaddr.js'

const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/** Whether an address is loopback, in a private network, or otherwise not on the public internet (RFC 6890). */
export function isPrivate(address: string) {
  const parsed = ipaddr.parse(address)

  return parsed.range() !== 'unicast' || (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast))
}
