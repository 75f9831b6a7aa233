import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Hex, TransactionSerializableEIP1559 } from 'viem'
import { hexToBytes, keccak256, parseTransaction, serializeTransaction } from 'viem/utils'
import { addressOfKey } from '../walletKeys.ts'
import { type EvmSignature, signedHex } from './transaction.ts'

/** Hex digits. A transfer takes about 300 bytes with a token's call. */
const maxHex = 4096

/**
 * Checks a transaction that was signed elsewhere: it must equal the unsigned one byte for byte and be signed
 * by its sender. Of the parsed payload only the signature is used: the unsigned one, serialised with that
 * signature, must give the payload.
 * @param from normal form
 * @param payload hex
 * @returns the signature, or why the payload is refused
 */
export function acceptSigned(
  ours: TransactionSerializableEIP1559,
  from: string,
  payload: string,
): EvmSignature | { refused: string } {
  if (payload.length > maxHex || !/^0x02(?:[0-9a-f]{2})+$/i.test(payload))
    return { refused: 'not a signed EIP-1559 transaction in hex' }
  const theirs = parsed(payload.toLowerCase() as Hex)
  if (!theirs) return { refused: 'not a signed EIP-1559 transaction' }
  const difference = differenceOf(ours, theirs)
  if (difference) return { refused: `its ${difference} differs from the transaction to sign` }
  const { r, s, yParity } = theirs
  if (r === undefined || s === undefined || yParity === undefined) return { refused: 'it is not signed' }
  const signature = { r: BigInt(r), s: BigInt(s), recovery: yParity }
  if (signedHex(ours, signature) !== payload.toLowerCase())
    return { refused: 'it does not equal the transaction to sign byte for byte' }
  const signer = signerOf(keccak256(serializeTransaction(ours)), signature)
  if (signer === null) return { refused: 'its signature is not valid' }
  return signer === from ? signature : { refused: 'it is not signed by the sender' }
}

function parsed(payload: Hex) {
  try {
    return parseTransaction(payload as `0x02${string}`)
  } catch {
    return null
  }
}

const fields = {
  chainId: 'chain id',
  nonce: 'nonce',
  to: 'recipient',
  value: 'value',
  data: 'data',
  gas: 'gas limit',
  maxFeePerGas: 'max fee per gas',
  maxPriorityFeePerGas: 'max priority fee per gas',
} as const

/** The name of the first field that differs. A missing value, zero and empty bytes are encoded alike. */
function differenceOf(
  ours: TransactionSerializableEIP1559,
  theirs: TransactionSerializableEIP1559,
): string | null {
  const shown = (value: unknown) =>
    value === undefined || value === null || value === '0x' ? '0' : String(value).toLowerCase()
  for (const field of Object.keys(fields) as (keyof typeof fields)[])
    if (shown(ours[field]) !== shown(theirs[field])) return fields[field]
  return theirs.accessList && theirs.accessList.length > 0 ? 'access list' : null
}

/** The signer's address in normal form; null where the signature is invalid or malleable (EIP-2: high s). */
function signerOf(digest: Hex, { r, s, recovery }: EvmSignature): string | null {
  try {
    const signature = new secp256k1.Signature(r, s, recovery)
    if (signature.hasHighS()) return null
    return addressOfKey(signature.recoverPublicKey(hexToBytes(digest)).toBytes(false))
  } catch {
    return null
  }
}
