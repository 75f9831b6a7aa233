import type { WireTransaction } from './wire.ts'

/** The price of a signature (Solana docs, Fees: base fee). */
const lamportsPerSignature = 5000n
const microLamportsPerLamport = 1_000_000n
/** Default limits of compute units (Solana docs, Compute budget; SIMD-0170). */
const unitsPerInstruction = 200_000n
const unitsPerBuiltin = 3_000n
const maxUnits = 1_400_000n

const computeBudget = 'ComputeBudget111111111111111111111111111111'
/** Programs built into the node; others (stake, lookup tables, config) are ordinary programs today. */
const builtins: readonly string[] = [
  computeBudget,
  '11111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
]

/** Instructions of the compute budget program, by their first byte (Solana docs, Compute budget). */
const setLimit = 2
const setPrice = 3

type FeeMessage = Pick<WireTransaction, 'header' | 'accountKeys' | 'instructions' | 'priorityFee'>

/**
 * A transaction's fee: 5000 lamports per signature plus a priority fee. Version 1 states that in lamports;
 * earlier versions the price of a compute unit, times the *requested* units, rounded up. The engine charges
 * it by itself; this answers `getFeeForMessage`.
 */
export function feeOf(message: FeeMessage): bigint {
  return (
    lamportsPerSignature * BigInt(message.header.numRequiredSignatures) +
    (message.priorityFee ?? priorityFeeByUnits(message))
  )
}

function priorityFeeByUnits(message: FeeMessage): bigint {
  let price = 0n
  let requested: bigint | null = null
  let units = 0n
  for (const { programIdIndex, data } of message.instructions) {
    const program = message.accountKeys[programIdIndex] ?? ''
    units += builtins.includes(program) ? unitsPerBuiltin : unitsPerInstruction
    if (program !== computeBudget) continue
    const view = new DataView(data.buffer, data.byteOffset, data.length)
    if (data[0] === setLimit) requested = BigInt(view.getUint32(1, true))
    if (data[0] === setPrice) price = view.getBigUint64(1, true)
  }
  const uncapped = requested ?? units
  const limit = uncapped < maxUnits ? uncapped : maxUnits
  return (price * limit + microLamportsPerLamport - 1n) / microLamportsPerLamport
}
