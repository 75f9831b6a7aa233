import { createHash } from 'node:crypto'
import { decodeStrKey } from './strkey.ts'

/** XDR of `ENVELOPE_TYPE_OP_ID`, and of the types of an account's key and of an id, both 0. */
const [operationId, zero] = [Buffer.from('00000006', 'hex'), Buffer.alloc(4)]

/**
 * The id of the claimable balance that the first operation of a transaction creates: a hash of the
 * transaction's source and sequence (CAP-23). Without the SDK: the API shows it with every transfer.
 * @param source `G…`
 * @returns 72 hex digits, as Horizon writes it
 */
export function claimableBalanceId(source: string, sequence: bigint): string {
  const decoded = decodeStrKey(source)
  if (decoded?.kind !== 'account') throw new Error('the source of a transaction is an account')
  const [number, first] = [Buffer.alloc(8), Buffer.alloc(4)]
  number.writeBigInt64BE(sequence)
  const hash = createHash('sha256')
    .update(Buffer.concat([operationId, zero, decoded.payload, number, first]))
    .digest('hex')
  return zero.toString('hex') + hash
}
