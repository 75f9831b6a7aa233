import type { xdr } from '@stellar/stellar-sdk'
import { decode } from './decoded.ts'
import { parseEnvelope } from './envelope.ts'
import type { View } from './faces.ts'
import { resultCodes } from './horizonCodes.ts'
import { Problem } from './horizonPages.ts'
import { transactionRecord } from './horizonTransactions.ts'

/* POST /transactions and /transactions_async: Stellar docs, Horizon, "Submit a Transaction", "Submit a Transaction Asynchronously". */

/** Horizon's timeout for a submitted transaction. */
const waitMs = 30_000

function hashOf({ chain }: View, envelope: string): string {
  try {
    return parseEnvelope(envelope, chain.network).hash
  } catch {
    throw new Problem(
      'transaction_malformed',
      'Transaction Malformed',
      400,
      'Horizon could not decode the transaction envelope in this request. A transaction should be an XDR TransactionEnvelope struct encoded using base64.  The envelope read from this request is echoed in the `extras.envelope_xdr` field of this response for your convenience.',
      { envelope_xdr: envelope },
    )
  }
}

const failed = (envelope: string, result: xdr.TransactionResult, hash: string) =>
  new Problem(
    'transaction_failed',
    'Transaction Failed',
    400,
    'The transaction failed when submitted to the stellar network. The `extras.result_codes` field on this response contains further details.  Descriptions of each code can be found at: https://developers.stellar.org/docs/data/horizon/api-reference/errors/http-status-codes/horizon-specific/transaction-failed',
    { envelope_xdr: envelope, result_codes: resultCodes(result), result_xdr: result.toXdr('base64'), hash },
  )

const timeout = (envelope: string, hash: string) =>
  new Problem(
    'timeout',
    'Timeout',
    504,
    'Your request timed out before completing.  Please try your request again. If you are submitting a transaction make sure you are sending exactly the same transaction (with the same sequence number).',
    { hash, envelope_xdr: envelope },
  )

/**
 * Answers once the transaction is in a ledger. A known transaction is answered with its result, so
 * resubmitting is safe; RPC refuses it with `txBAD_SEQ` instead.
 * @throws Problem 400 if it was refused or failed, 504 if no ledger had it in time (also after the core's
 * "try again later")
 */
export async function submitTransaction(view: View, base: string, envelope: string): Promise<object> {
  const hash = hashOf(view, envelope)
  if (!view.find(hash) && !view.flags.swallow && !view.flags.tryAgainLater) {
    const done = view.chain.submit(envelope)
    if (done.status === 'ERROR') throw failed(envelope, done.result, hash)
  }
  if (!(await seen(view, hash))) throw timeout(envelope, hash)
  const place = view.find(hash)
  if (!place) throw timeout(envelope, hash)
  const tx = decode(place.ledger, place.record, place.index)
  if (!tx.record.successful) throw failed(envelope, tx.result, hash)
  return transactionRecord(tx, base, !view.flags.noMeta)
}

/** Waits for a ledger with the transaction. */
function seen(view: View, hash: string): Promise<boolean> {
  if (view.find(hash)) return Promise.resolve(true)
  return new Promise((resolve) => {
    const finish = (found: boolean) => {
      clearTimeout(timer)
      stop()
      resolve(found)
    }
    const timer = setTimeout(() => finish(false), waitMs)
    const stop = view.chain.onClose(() => {
      if (view.find(hash)) finish(true)
    })
  })
}

/** Answers at once with the core's answer. */
export function submitAsync(view: View, envelope: string): { status: number; body: object } {
  const hash = hashOf(view, envelope)
  if (view.flags.swallow) return { status: 201, body: { tx_status: 'PENDING', hash } }
  const done = view.flags.tryAgainLater
    ? ({ status: 'TRY_AGAIN_LATER', hash } as const)
    : view.chain.submit(envelope)
  switch (done.status) {
    case 'PENDING':
      return { status: 201, body: { tx_status: 'PENDING', hash } }
    case 'DUPLICATE':
      return { status: 409, body: { tx_status: 'DUPLICATE', hash } }
    case 'TRY_AGAIN_LATER':
      return { status: 503, body: { tx_status: 'TRY_AGAIN_LATER', hash } }
    case 'ERROR':
      return {
        status: 400,
        body: { tx_status: 'ERROR', hash, error_result_xdr: done.result.toXdr('base64') },
      }
  }
}
