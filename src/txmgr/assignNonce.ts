import type { TransferSpec } from '../chains/action.ts'
import type { Holdings, Shortage, Terms } from '../chains/sending.ts'
import type { Tx } from '../platform/db.ts'
import { claimNonce } from './claimNonce.ts'
import type { SendingChain } from './context.ts'
import type { Intent } from './intents.ts'

/** Read from the chain before a nonce of the address is claimed. */
export interface AddressState {
  /** The lowest nonce that the chain allows; null if the chain has no nonces. */
  lowest: bigint | null
  /** Null if transactions of one address cannot queue, or no node reports it. */
  holdings: Holdings | null
}

export async function readAddressState({ sender }: Pick<SendingChain, 'sender'>, transfer: TransferSpec): Promise<AddressState> {
  const [lowest, holdings] = await Promise.all([
    sender.nextNonce?.(transfer.from),
    sender.holdings?.(transfer.from, transfer.token ? [transfer.token.contract] : []),
  ])
  return { lowest: lowest ?? null, holdings: holdings ?? null }
}

/** The address can pay for the transfer, but not also for those that wait before it. No nonce was claimed. */
export class SenderShort extends Error {
  readonly shortage: Shortage
  constructor(shortage: Shortage) {
    super(`the sender lacks ${shortage.symbol}`)
    this.name = 'SenderShort'
    this.shortage = shortage
  }
}

/**
 * Claims a nonce for an intent, if the sender can pay for it after everything that waits before it. Otherwise the network would refuse one of
 * them, and every later nonce would wait for ever.
 * @returns null if the chain has no nonces
 * @throws SenderShort
 */
export async function assignNonce(tx: Tx, sending: SendingChain, row: Intent, terms: Terms, address: AddressState): Promise<bigint | null> {
  if (address.lowest === null) return null
  const owner = { chain: row.chain, address: row.transfer.from, intentId: row.id }
  const nonce = await claimNonce(tx, owner, address.lowest)
  const shortage = address.holdings && (await shortageBehind(tx, sending, row, terms, nonce, address.holdings))
  if (shortage) throw new SenderShort(shortage)
  return nonce
}

/** Of each intent that waits between the newest block and a nonce: the sent attempt with the highest fee, or its first attempt. */
const waitingBefore = `select distinct on (o.id) o.amount, o.contract, t.terms
  from intent_nonces s join intents o on o.id = s.intent_id
    join intent_attempts t on t.intent_id = s.intent_id and t.nonce = s.nonce and t.void_at is null
  where s.chain = $1 and s.address = $2 and s.nonce >= $3 and s.nonce < $4 and o.block_height is null
  order by o.id, t.sends > 0 desc, case when t.sends > 0 then -t.number else t.number end`

async function shortageBehind(
  tx: Tx,
  { builder, chain }: SendingChain,
  { transfer }: Intent,
  terms: Terms,
  nonce: bigint,
  { used, native, tokens }: Holdings,
): Promise<Shortage | null> {
  const waiting = await tx.query<{ amount: string; contract: string | null; terms: Terms }>(waitingBefore, [
    chain.name,
    transfer.from,
    used.toString(),
    nonce.toString(),
  ])
  // Without others before it the plan has checked this already.
  if (waiting.length === 0) return null
  const all = [...waiting, { amount: transfer.amount, contract: transfer.token?.contract ?? null, terms }]
  const amounts = (contract: string | null) => all.reduce((sum, each) => sum + (each.contract === contract ? BigInt(each.amount) : 0n), 0n)
  const token = transfer.token && tokens.get(transfer.token.contract)
  if (transfer.token && token !== null && token !== undefined) {
    const required = amounts(transfer.token.contract)
    const { symbol, decimals } = transfer.token
    if (required > token) return { kind: 'token', symbol, decimals, required, available: token }
  }
  const required = all.reduce((sum, each) => sum + builder.maxFee(each.terms), amounts(null))
  return required > native ? { kind: 'native', ...chain.native, required, available: native } : null
}
