import { BlockList, isIP } from 'node:net'

/** Everything that is not the public internet: RFC 6890 and its successors. */
const special = new BlockList()

for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3]
] as const) {
  special.addSubnet(network, prefix)
}
// Of 2000::/3, what stands for addresses of the old kind, or for none.
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20]
] as const) {
  special.addSubnet(network, prefix, 'ipv6')
}
const globalUnicast = new BlockList()

globalUnicast.addSubnet('2000::', 3, 'ipv6')

/** Whether an address is this machine, one of its neighbours, or otherwise none that everybody can reach. */
export function isPrivate(address: string) {
  if (isIP(address) !== 6) return special.check(address)

  return !globalUnicast.check(address, 'ipv6') || special.check(address, 'ipv6')
}
