import { Keypair, SignerKey, StrKey, xdr } from '@stellar/stellar-sdk'
import type { Network } from './context.ts'
import type { AccountEntry } from './entries.ts'
import { accountKey, baseOf, hex, sha256 } from './values.ts'

/** A decoded envelope; of a fee bump, both layers. */
export interface Parsed {
  envelope: xdr.TransactionEnvelope
  /** Hex; of a fee bump, the outer hash. */
  hash: string
  /** The transaction with the operations: of a fee bump, the inner one. */
  transaction: xdr.Transaction
  inner: Signed
  /** Null unless it is a fee bump. */
  bump: (Signed & { source: string; fee: bigint }) | null
  source: string
  feeSource: string
  /** The maximum fee, in stroops. */
  feeBid: bigint
  /** The bid's share for a contract call's resources; 0 for other transactions. */
  resourceFee: bigint
  /** Operations to pay for: a fee bump counts as one more (CAP-15). */
  feeUnits: bigint
  soroban: boolean
}

interface Signed {
  /** Hex. */
  hash: string
  signatures: readonly xdr.DecoratedSignature[]
}

/**
 * @throws if it is not an envelope, or one from before protocol 13 (`TransactionV0`), which this devnet does
 * not support
 */
export function parseEnvelope(base64: string, network: Network): Parsed {
  const envelope = xdr.TransactionEnvelope.fromXdr(base64, 'base64')
  if (envelope.type === 'envelopeTypeTxV0') throw new Error('TransactionV0 is not supported')
  const { TransactionSignaturePayloadTaggedTransaction: Tagged } = xdr
  const hashOf = (taggedTransaction: xdr.TransactionSignaturePayloadTaggedTransaction) =>
    hex(sha256(new xdr.TransactionSignaturePayload({ networkId: network.id, taggedTransaction }).toXdr()))
  const v1 = envelope.type === 'envelopeTypeTx' ? envelope.v1 : envelope.feeBump.tx.innerTx.v1
  const transaction = v1.tx
  const inner = { hash: hashOf(Tagged.envelopeTypeTx(transaction)), signatures: v1.signatures }
  const bump =
    envelope.type === 'envelopeTypeTxFeeBump'
      ? {
          hash: hashOf(Tagged.envelopeTypeTxFeeBump(envelope.feeBump.tx)),
          signatures: envelope.feeBump.signatures,
          source: baseOf(envelope.feeBump.tx.feeSource),
          fee: envelope.feeBump.tx.fee,
        }
      : null
  const source = baseOf(transaction.sourceAccount)
  return {
    envelope,
    transaction,
    inner,
    bump,
    source,
    hash: bump?.hash ?? inner.hash,
    feeSource: bump?.source ?? source,
    feeBid: bump?.fee ?? BigInt(transaction.fee),
    resourceFee: transaction.ext.type === 'sorobanData' ? transaction.ext.sorobanData.resourceFee : 0n,
    feeUnits: BigInt(transaction.operations.length + (bump ? 1 : 0)),
    soroban: transaction.operations.some(({ body }) => body.type === 'invokeHostFunction'),
  }
}

/** The time bounds, from either precondition. 0 means unbounded. */
export function timeBoundsOf({ cond }: xdr.Transaction): { minTime: bigint; maxTime: bigint } {
  const extended = cond.type === 'precondV2' ? cond.v2.timeBounds : null
  const bounds = cond.type === 'precondTime' ? cond.timeBounds : extended
  return { minTime: bounds?.minTime ?? 0n, maxTime: bounds?.maxTime ?? 0n }
}

/** Checks one transaction's signatures and remembers the used ones: an unused signature is an error. */
export interface SignatureChecker {
  /** The account's signers reach the weight. At least one must sign, even for threshold 0. */
  reaches(account: Pick<AccountEntry, 'id' | 'thresholds' | 'signers'>, weight: number): boolean
  has(key: xdr.SignerKey): boolean
  allUsed(): boolean
}

export function checkerOf({ hash, signatures }: Signed): SignatureChecker {
  const used = new Set<number>()
  const digest = Buffer.from(hash, 'hex')
  const signs = (key: string, i: number): boolean => {
    const signature = signatures[i]
    if (!signature || !verify(key, signature, digest)) return false
    used.add(i)
    return true
  }
  return {
    reaches(account, weight) {
      const [master] = account.thresholds
      const left = [...account.signers, ...(master > 0 ? [{ key: account.id, weight: master }] : [])]
      let total = 0
      for (const i of signatures.keys()) {
        const found = left.findIndex(({ key }) => signs(key, i))
        const [signer] = found < 0 ? [] : left.splice(found, 1)
        total += signer?.weight ?? 0
        if (signer && total >= weight) return true
      }
      return false
    },
    has: (key) => [...signatures.keys()].some((i) => signs(SignerKey.encodeSignerKey(key), i)),
    allUsed: () => used.size === signatures.length,
  }
}

/**
 * Verifies a key's signature, or a preimage whose sha256 is the signer (`X…`). The hint is the end of the
 * signer's bytes: CAP-21.
 */
function verify(key: string, { hint, signature }: xdr.DecoratedSignature, digest: Buffer): boolean {
  const bytes = key.startsWith('X') ? StrKey.decodeSha256Hash(key) : accountKey(key).value.value
  if (!Buffer.from(bytes.slice(-4)).equals(hint.value)) return false
  if (key.startsWith('X')) return sha256(signature.value).equals(bytes)
  return signature.value.length === 64 && Keypair.fromPublicKey(key).verify(digest, signature.value)
}
