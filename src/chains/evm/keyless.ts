/** Addresses that burn by custom. No key of one has ever been shown; tokens there can never move. */
const burnAddresses = new Set([
  '0x000000000000000000000000000000000000dead',
  '0xdead000000000000000042069420694206942069',
  '0xdead000000000000000000000000000000000000',
  '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
  // Sender of the deposits that every block of an OP chain starts with (OP Stack specification, "Deposits").
  '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001',
  '0xffffffffffffffffffffffffffffffffffffffff',
  // Stands for the native coin in many APIs (ERC-7528).
  '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
])

/**
 * Public contracts, at one address on all chains: Multicall3, Permit2, a deployer of CREATE2
 * contracts; 0x's AllowanceHolder and registry.
 */
const sharedContracts = new Set([
  '0xca11bde05977b3631167028862be2a173976ca11',
  '0x000000000022d473030f116ddee9f6b43ac78ba3',
  '0x4e59b44847b379578588920ca78fbf26c0b4956c',
  '0x0000000000001ff3684f28c67538d4d072c22734',
  '0x00000000000004533fe15556b1e086bb1a72ceae',
])

/**
 * Precompiled and system contracts: `0x01` to `0x100` (EIP-7910), ArbSys at `0x64`, Polygon's MATIC at
 * `0x1010`, BSC's at `0x1000` and on.
 */
const systemContract = /^0x0{36}[0-9a-f]{4}$/
/** Predeployed contracts of OP chains (OP Stack specification, "Predeploys"). */
const predeploy = /^0x42000000000000000000000000000000000[0-9a-f]{5}$/

/** Why no one can sign for an EVM address in its normal form; null where there may be a key. */
export function evmKeyless(address: string): string | null {
  if (/^0x0{40}$/.test(address)) return 'is the zero address'
  if (burnAddresses.has(address)) return 'is a burn address'
  if (sharedContracts.has(address)) return 'is a contract that is not a wallet'
  if (systemContract.test(address) || predeploy.test(address)) return 'is a system contract'
  return null
}
