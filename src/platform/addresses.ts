import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Parses an address; an IPv4-mapped IPv6 address (`::ffff:10.0.0.1`) becomes IPv4. */
function parse(text: string): Address | null {
  if (!ipaddr.isValid(text)) return null
  try {
    return ipaddr.process(text)
  } catch {
    return null
  }
}

/**
 * Canonical form of an IP address; null for any other text. IPv4 needs four parts: `10.1` is not an address.
 */
export function canonicalAddress(text: string): string | null {
  if (!text.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(text)) return null
  const withoutZone = text.split('%')[0] ?? ''
  return parse(withoutZone)?.toString() ?? null
}

/**
 * The unit of limits by address: an IPv4 address, or the /64 of an IPv6 address, because one host has all of
 * it.
 */
export function networkOf(address: string): string {
  const parsed = parse(address)
  if (!parsed || parsed.kind() === 'ipv4') return address
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`
}

/** The /48 of an IPv6 address, which one customer of a network often has; null for IPv4. */
export function siteOf(address: string): string | null {
  const parsed = parse(address)
  return parsed?.kind() === 'ipv6'
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/48`).toString()}/48`
    : null
}

/**
 * Canonical form of an address or a CIDR network, always with its prefix length: `10.0.0.7` becomes
 * `10.0.0.7/32`.
 * @returns the network, or what is wrong with the text
 */
export function canonicalNetwork(text: string): { network: string } | { problem: string } {
  const [address = '', length, more] = text.trim().split('/')
  const canonical = canonicalAddress(address)
  if (canonical === null || more !== undefined || address.includes('%'))
    return { problem: 'is not an IP address or a network such as 203.0.113.0/24' }
  const parsed = ipaddr.parse(canonical)
  const max = parsed.kind() === 'ipv4' ? 32 : 128
  if (length === undefined) return { network: `${canonical}/${max}` }
  // An IPv4 network written as IPv6 would change its prefix length with its form.
  if (
    !/^\d{1,3}$/.test(length) ||
    Number(length) > max ||
    (parsed.kind() === 'ipv4' && address.includes(':'))
  )
    return { problem: `has a prefix length outside 0 to ${max}` }
  const cidr = `${canonical}/${Number(length)}`
  const network =
    parsed.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
      : ipaddr.IPv6.networkAddressFromCIDR(cidr)
  if (network.toString() !== canonical)
    return {
      problem: `has bits set beyond its prefix length; the network is ${network.toString()}/${Number(length)}`,
    }
  return { network: cidr }
}

/** True if an address is in one of the networks; false for text that is not an address. */
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
 * Azure's wire server: metadata, names and health probes of the host, at an address that only resembles a
 * public one (learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16).
 */
const wireServer = '168.63.129.16'

/**
 * The only IPv6 range assigned as global unicast (RFC 4291 §2.4, IANA's registry of the IPv6 address space).
 */
const globalUnicast = ['2000::/3']

/**
 * True if an address is on the public internet (the rule against SSRF): not private, not this machine, not a
 * cloud's internal network and not for a special purpose (IANA's special-purpose registries, RFC 6890).
 * Strict: unusual notations and addresses with a zone are not public. An IPv4-mapped address
 * (`::ffff:0:0/96`) is checked as the IPv4 address that the system dials. IPv6 addresses that a router would
 * translate to IPv4 (NAT64 of RFC 6052 and RFC 8215, 6to4, Teredo, ISATAP, `::/96`) are never public.
 */
export function isPublicAddress(text: string): boolean {
  // ipaddr.js accepts octal, hexadecimal and short forms, which the system may read differently; it reads
  // `::8.8.8.8` (::808:808) as 8.8.8.8.
  if (isIP(text) === 0 || /^::\d+\./.test(text)) return false
  const address = parse(text)
  if (address?.range() !== 'unicast' || text.includes('%') || address.toString() === wireServer) return false
  return address.kind() === 'ipv4' || (isWithin(text, globalUnicast) && !isIsatap(address.toByteArray()))
}

/** RFC 5214 §6.1: an interface identifier that starts with 0000:5efe or 0200:5efe, then an IPv4 address. */
const isIsatap = (bytes: readonly number[]): boolean =>
  ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
