import type { Holdings, Shortage, Terms, TransferIntent } from '../chains/sending.ts'
import type { Tx } from '../platform/db.ts'
import { claimSequence } from './claimSequence.ts'
import type { SendingChain } from './context.ts'
import type { Outgoing } from './outgoing.ts'

/** What the chain says of an address, before one of its sequences is taken. */
export interface AskedAddress {
  /** The lowest sequence that the chain allows; null where it has none. */
  lowest: bigint | null
  /** Null where several cannot wait behind one another, or nobody tells. */
  holdings: Holdings | null
}

export async function askAddress({ sender }: Pick<SendingChain, 'sender'>, intent: TransferIntent): Promise<AskedAddress> {
  const [lowest, holdings] = await Promise.all([sender.nextSequence?.(intent.from), sender.holdings?.(intent)])
  return { lowest: lowest ?? null, holdings: holdings ?? null }
}

/** What an address has suffices for a transfer, but not for those besides that wait before it. Nothing was taken. */
export class SenderShort extends Error {
  readonly shortage: Shortage
  constructor(shortage: Shortage) {
    super(`the sender lacks ${shortage.symbol}`)
    this.name = 'SenderShort'
    this.shortage = shortage
  }
}

/**
 * Gives an intent its sequence; null where the chain has none. One that cannot be paid for after all that waits before it gets none: the
 * network would refuse it, or one of them, and whatever has a later sequence would hang.
 * @throws SenderShort
 */
export async function takeSequence(tx: Tx, sending: SendingChain, row: Outgoing, terms: Terms, address: AskedAddress): Promise<bigint | null> {
  if (address.lowest === null) return null
  const owner = { chain: row.chain, address: row.intent.from, outgoingId: row.id }
  const sequence = await claimSequence(tx, owner, address.lowest)
  const shortage = address.holdings && (await shortageBehind(tx, sending, row, terms, sequence, address.holdings))
  if (shortage) throw new SenderShort(shortage)
  return sequence
}

/** The dearest that was sent of each intent that waits between the newest block and a sequence; the first where none was. */
const waitingBefore = `select distinct on (o.id) o.amount, o.contract, t.terms
  from outgoing_sequences s join outgoing o on o.id = s.outgoing_id
    join outgoing_transactions t on t.outgoing_id = s.outgoing_id and t.sequence = s.sequence and t.void_at is null
  where s.chain = $1 and s.address = $2 and s.sequence >= $3 and s.sequence < $4 and o.block_height is null
  order by o.id, t.sends > 0 desc, case when t.sends > 0 then -t.number else t.number end`

async function shortageBehind(
  tx: Tx,
  { builder, chain }: SendingChain,
  { intent }: Outgoing,
  terms: Terms,
  sequence: bigint,
  { used, native, token }: Holdings,
): Promise<Shortage | null> {
  const waiting = await tx.query<{ amount: string; contract: string | null; terms: Terms }>(waitingBefore, [
    chain.name,
    intent.from,
    used.toString(),
    sequence.toString(),
  ])
  // Alone it was found payable before.
  if (waiting.length === 0) return null
  const all = [...waiting, { amount: intent.amount, contract: intent.token?.contract ?? null, terms }]
  const amounts = (contract: string | null) => all.reduce((sum, each) => sum + (each.contract === contract ? BigInt(each.amount) : 0n), 0n)
  if (intent.token && token !== null) {
    const required = amounts(intent.token.contract)
    const { symbol, decimals } = intent.token
    if (required > token) return { kind: 'token', symbol, decimals, required, available: token }
  }
  const required = all.reduce((sum, each) => sum + builder.maxFee(each.terms), amounts(null))
  return required > native ? { kind: 'native', ...chain.native, required, available: native } : null
}
