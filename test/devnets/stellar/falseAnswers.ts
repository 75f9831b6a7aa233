import { nativeToScVal, scValToBigInt, xdr } from '@stellar/stellar-sdk'
import { headerHash, type LedgerRecord, type TransactionRecord } from './history.ts'

// False answers of a misbehaving provider. Each changes served data only; signatures and dependent hashes are not
// updated.

/** Difference of a wrong amount: one whole unit. */
const off = 10_000_000n

function v4Of(base64: string): xdr.TransactionMetaV4 {
  const meta = xdr.TransactionMeta.fromXdr(base64, 'base64')
  if (meta.type !== 'v4') throw new Error(`metadata of version ${meta.type}`)
  return meta.v4
}

const encode = (meta: xdr.TransactionMetaV4): string => xdr.TransactionMeta.v4(meta).toXdr('base64')

/** Wrong amounts in all events of operations. */
export function amountOff(base64: string): string {
  const meta = v4Of(base64)
  const operations = meta.operations.map(
    (operation) => new xdr.OperationMetaV2({ ...operation, events: operation.events.map(eventOff) }),
  )
  return encode(new xdr.TransactionMetaV4({ ...meta, operations }))
}

const more = (amount: xdr.ScVal): xdr.ScVal =>
  amount.type === 'scvI128' ? nativeToScVal(scValToBigInt(amount) + off, { type: 'i128' }) : amount

function eventOff(event: xdr.ContractEvent): xdr.ContractEvent {
  const { topics, data } = event.body.v0
  const changed =
    data.type === 'scvMap'
      ? xdr.ScVal.scvMap((data.map ?? []).map(({ key, val }) => new xdr.ScMapEntry({ key, val: more(val) })))
      : more(data)
  return new xdr.ContractEvent({
    ...event,
    body: xdr.ContractEventBody.v0(new xdr.ContractEventV0({ topics, data: changed })),
  })
}

/** Wrong amounts of all payments in an envelope. */
export function envelopeOff(base64: string): string {
  const envelope = xdr.TransactionEnvelope.fromXdr(base64, 'base64')
  const changeV1 = (v1: xdr.TransactionV1Envelope) =>
    new xdr.TransactionV1Envelope({
      ...v1,
      tx: new xdr.Transaction({ ...v1.tx, operations: v1.tx.operations.map(paymentOff) }),
    })
  if (envelope.type === 'envelopeTypeTx')
    return xdr.TransactionEnvelope.envelopeTypeTx(changeV1(envelope.v1)).toXdr('base64')
  if (envelope.type === 'envelopeTypeTxV0') return base64
  const { feeBump } = envelope
  const innerTx = xdr.FeeBumpTransactionInnerTx.envelopeTypeTx(changeV1(feeBump.tx.innerTx.v1))
  const tx = new xdr.FeeBumpTransaction({ ...feeBump.tx, innerTx })
  return xdr.TransactionEnvelope.envelopeTypeTxFeeBump(
    new xdr.FeeBumpTransactionEnvelope({ ...feeBump, tx }),
  ).toXdr('base64')
}

function paymentOff(operation: xdr.Operation): xdr.Operation {
  const { body } = operation
  if (body.type !== 'payment') return operation
  const paymentOp = new xdr.PaymentOp({ ...body.paymentOp, amount: body.paymentOp.amount + off })
  return new xdr.Operation({ ...operation, body: xdr.OperationBody.payment(paymentOp) })
}

/** As of a core without EMIT_CLASSIC_EVENTS: only contracts have events, and fees have no events (CAP-67). */
export function withoutClassicEvents({ meta: base64, soroban }: TransactionRecord): string {
  const meta = v4Of(base64)
  const operations = soroban
    ? meta.operations
    : meta.operations.map((operation) => new xdr.OperationMetaV2({ ...operation, events: [] }))
  return encode(new xdr.TransactionMetaV4({ ...meta, operations, events: [] }))
}

/** As before protocol 23: only contracts' events, and separate from the operations. */
export function withOldMeta({ meta: base64, soroban }: TransactionRecord): string {
  const { ext, txChangesBefore, operations, txChangesAfter, sorobanMeta } = v4Of(base64)
  return xdr.TransactionMeta.v3(
    new xdr.TransactionMetaV3({
      ext,
      txChangesBefore,
      operations: operations.map(({ changes }) => new xdr.OperationMeta({ changes })),
      txChangesAfter,
      sorobanMeta:
        soroban && sorobanMeta
          ? new xdr.SorobanTransactionMeta({
              ext: sorobanMeta.ext,
              events: operations.flatMap(({ events }) => events),
              returnValue: sorobanMeta.returnValue ?? xdr.ScVal.scvVoid(),
              diagnosticEvents: [],
            })
          : null,
    }),
  ).toXdr('base64')
}

/** A header with another predecessor, and the matching hash. */
export function headerOff(ledger: LedgerRecord, previousLedgerHash: Uint8Array): LedgerRecord {
  const header = new xdr.LedgerHeader({
    ...xdr.LedgerHeader.fromXdr(ledger.header, 'base64'),
    previousLedgerHash,
  })
  return { ...ledger, header: header.toXdr('base64'), hash: headerHash(header) }
}
