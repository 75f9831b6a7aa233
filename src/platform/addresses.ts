import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** IPv4 in its own form, also where it came as IPv6 (`::ffff:10.0.0.1`). */
function parse(text: string): Address | null {
  if (!ipaddr.isValid(text)) return null
  try {
    return ipaddr.process(text)
  } catch {
    return null
  }
}

/** An IP address in its one form; null for any other text. IPv4 needs its four parts: `10.1` is none. */
export function canonicalAddress(text: string): string | null {
  if (!text.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(text)) return null
  const withoutZone = text.split('%')[0] ?? ''
  return parse(withoutZone)?.toString() ?? null
}

/** What a limit by address counts: an IPv4 address, or the /64 that an IPv6 address is in, of which one host has all. */
export function networkOf(address: string): string {
  const parsed = parse(address)
  if (!parsed || parsed.kind() === 'ipv4') return address
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`
}

/** The /48 that an IPv6 address is in, of which one customer of a network often has all; null for IPv4. */
export function siteOf(address: string): string | null {
  const parsed = parse(address)
  return parsed?.kind() === 'ipv6' ? `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/48`).toString()}/48` : null
}

/**
 * An address or a network in CIDR notation, in its one form with its length: `10.0.0.7` is `10.0.0.7/32`.
 * @returns the reason in words where it is none
 */
export function canonicalNetwork(text: string): { network: string } | { problem: string } {
  const [address = '', length, more] = text.trim().split('/')
  const canonical = canonicalAddress(address)
  if (canonical === null || more !== undefined || address.includes('%'))
    return { problem: 'is not an IP address or a network such as 203.0.113.0/24' }
  const parsed = ipaddr.parse(canonical)
  const max = parsed.kind() === 'ipv4' ? 32 : 128
  if (length === undefined) return { network: `${canonical}/${max}` }
  // An IPv4 network that is written as IPv6 would change its length with its form.
  if (!/^\d{1,3}$/.test(length) || Number(length) > max || (parsed.kind() === 'ipv4' && address.includes(':')))
    return { problem: `has no length from 0 to ${max}` }
  const cidr = `${canonical}/${Number(length)}`
  const network = parsed.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr)
  if (network.toString() !== canonical) return { problem: `has bits beyond its length; the network is ${network.toString()}/${Number(length)}` }
  return { network: cidr }
}

/** Whether an address is in one of the networks. What is no address is in none. */
export function isWithin(address: string, networks: readonly string[]): boolean {
  const parsed = parse(address)
  return (
    parsed !== null &&
    networks.some((network) => {
      const [range, length] = ipaddr.parseCIDR(network)
      return range.kind() === parsed.kind() && parsed.match(range as never, length)
    })
  )
}

/**
 * Azure's wire server: metadata, names and health probes of the host, at an address that only looks public
 * (learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16).
 */
const wireServer = '168.63.129.16'

/** The only IPv6 that is handed out as global unicast (RFC 4291 §2.4, IANA's registry of the IPv6 address space). */
const globalUnicast = ['2000::/3']

/**
 * Whether an address is one of the internet: not of a network of somebody's own, of this machine, of a cloud's inside, or for a purpose
 * (the special-purpose registries of IANA, RFC 6890). Strict: an address in any spelling but the usual one, or with a zone, is not.
 * An IPv4 address within an IPv6 one is judged as itself where the system dials it so (`::ffff:0:0/96`); where a router would
 * take it out on the way (NAT64 of RFC 6052 and RFC 8215, 6to4, Teredo, ISATAP, `::/96`), no such address is of the internet.
 */
export function isPublicAddress(text: string): boolean {
  // ipaddr.js reads octal, hexadecimal and short forms, which the system may read otherwise; and `::8.8.8.8`, which is ::808:808, as 8.8.8.8.
  if (isIP(text) === 0 || /^::\d+\./.test(text)) return false
  const address = parse(text)
  if (address?.range() !== 'unicast' || text.includes('%') || address.toString() === wireServer) return false
  return address.kind() === 'ipv4' || (isWithin(text, globalUnicast) && !isIsatap(address.toByteArray()))
}

/** RFC 5214 §6.1: an interface identifier of 0000:5efe or 0200:5efe before an IPv4 address. */
const isIsatap = (bytes: readonly number[]): boolean => ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
