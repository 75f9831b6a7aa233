/** Addresses that burn by custom. Nobody has ever shown a key of one; tokens there can never move. */
const burnAddresses = new Set([
  '0x000000000000000000000000000000000000dead',
  '0xdead000000000000000042069420694206942069',
  '0xdead000000000000000000000000000000000000',
  '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
  // Sender of the deposits that every block of an OP chain begins with (OP Stack specification, "Deposits").
  '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001',
  '0xffffffffffffffffffffffffffffffffffffffff',
  // Stands for the native coin in many APIs (ERC-7528).
  '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
])

/** Precompiled and system contracts: `0x01` to `0x100` (EIP-7910), ArbSys at `0x64`, Polygon's MATIC at `0x1010`, BSC's at `0x1000` and on. */
const systemContract = /^0x0{36}[0-9a-f]{4}$/
/** Predeployed contracts of OP chains (OP Stack specification, "Predeploys"). */
const predeploy = /^0x42000000000000000000000000000000000[0-9a-f]{5}$/

/** Why nobody can sign for an EVM address in its normal form; null where somebody may. */
export function evmKeyless(address: string): string | null {
  if (/^0x0{40}$/.test(address)) return 'is the zero address'
  if (burnAddresses.has(address)) return 'is a burn address'
  if (systemContract.test(address) || predeploy.test(address)) return 'is a system contract'
  return null
}
