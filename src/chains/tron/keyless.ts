/**
 * The account to which the network burns fees, `TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy` (java-tron, "Blackhole"
 * in the genesis block).
 */
const blackhole = '4177944d19c052b73ee2286823aa83f8138cb7032f'
const prefix = '41'

/** Why no one can sign for a Tron address in its normal form; null where there may be a key. */
export function tronKeyless(address: string): string | null {
  const account = address.slice(prefix.length)
  if (/^0{40}$/.test(account)) return 'is the zero address'
  if (address === blackhole || /^0{36}dead$/.test(account)) return 'is a burn address'
  // Precompiled contracts have small numbers, as on EVM; Tron's own start at 0x01000001.
  if (/^0{32}[0-9a-f]{8}$/.test(account)) return 'is a system contract'
  return null
}
