import { createHmac } from 'node:crypto'
import { HDKey } from 'micro-key-producer/slip10.js'
import { requireIndex } from '../bip32.ts'
import type { KeyDeriver } from '../chain.ts'
import { muxed } from './address.ts'
import { encodeStrKey } from './strkey.ts'

/** SEP-5: `m/44'/148'/x'`. The account of all deposits, which is also the treasury's. */
export const depositAccountPath = "m/44'/148'/1'"

/** Half of a deposit's id, in bits. An id of 52 bits is exact also in a wallet that stores it as a double. */
const halfBits = 26
const rounds = 4
const mask = 2 ** halfBits - 1

/** Key pair of an account of the platform. */
export const accountKey = (seed: Uint8Array, path: string): HDKey => HDKey.fromMasterSeed(seed).derive(path)

/** Key pair of the account of all deposits. */
export const depositAccount = (seed: Uint8Array): HDKey => accountKey(seed, depositAccountPath)

/**
 * Deposits share one account and have an id each. Ids follow from index and seed by a permutation (a Feistel
 * network over HMAC-SHA-256): unique and not guessable, so that a mistyped id is almost surely not in use.
 */
export const stellarKeyDeriver: KeyDeriver = {
  deriveDeposit(seed, index) {
    requireIndex(index)
    return {
      address: muxed(accountOf(seed), BigInt(depositId(seed, index))),
      path: `${depositAccountPath}#${index}`,
    }
  },
  depositKeyPath: () => depositAccountPath,
  treasuryPath: depositAccountPath,
  stakingPath: "m/44'/148'/2'",
}

// Deriving the account takes longer than thousands of ids of it.
const accounts = new WeakMap<Uint8Array, string>()
function accountOf(seed: Uint8Array): string {
  const account = accounts.get(seed) ?? encodeStrKey('account', depositAccount(seed).publicKeyRaw)
  accounts.set(seed, account)
  return account
}

function depositId(seed: Uint8Array, index: number): number {
  let id = index
  // Zero is not a valid id: permuting once more keeps the map one to one.
  do id = permuted(seed, id)
  while (id === 0)
  return id
}

function permuted(seed: Uint8Array, value: number): number {
  let [left, right] = [Math.floor(value / 2 ** halfBits), value % 2 ** halfBits]
  for (let round = 0; round < rounds; round++) {
    const digest = createHmac('sha256', seed).update(`cowry stellar deposit ${round} ${right}`).digest()
    ;[left, right] = [right, (left ^ (digest.readUInt32BE(0) & mask)) >>> 0]
  }
  return left * 2 ** halfBits + right
}
