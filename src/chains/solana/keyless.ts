/**
 * Addresses that the runtime or the token programs keep (Solana docs, "Native programs", "Sysvar cluster
 * data").
 */
const programs = new Set([
  '11111111111111111111111111111111',
  'AddressLookupTab1e1111111111111111111111111',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'ComputeBudget111111111111111111111111111111',
  'Config1111111111111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s',
  'NativeLoader1111111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
  'So11111111111111111111111111111111111111112',
  'Stake11111111111111111111111111111111111111',
  'StakeConfig11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'Vote111111111111111111111111111111111111111',
])
/** `Sysvar…` with its filling of ones. */
const sysvar = /^Sysvar[1-9A-HJ-NP-Za-km-z]+1{6,}$/
const incinerator = '1nc1nerator11111111111111111111111111111111'

/**
 * Why no one can sign for a Solana address; null where there may be a key. Other programs and token accounts
 * are found on the chain.
 */
export function solanaKeyless(address: string): string | null {
  if (address === incinerator) return 'is a burn address'
  return programs.has(address) || sysvar.test(address) ? 'is a program or an account of the network' : null
}
