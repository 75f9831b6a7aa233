import { type Action, flowsOf, type Token } from '../chains/action.ts'
import type { Holdings, Shortage, Terms } from '../chains/sending.ts'
import type { Tx } from '../platform/database/db.ts'
import { BaseError } from '../platform/errors.ts'
import { claimNonce } from './claimNonce.ts'
import type { SendingChain } from './context.ts'
import { type Intent, readIntents } from './intents.ts'

/** Read from the chain before a nonce of the address is claimed. */
export interface AddressState {
  /** The lowest nonce that the chain allows; null if the chain has no nonces. */
  lowest: bigint | null
  /** Null if transactions of one address cannot queue, or no node reports it. */
  holdings: Holdings | null
}

export async function readAddressState(
  { sender }: Pick<SendingChain, 'sender'>,
  action: Action,
): Promise<AddressState> {
  const contracts = [...spentBy(action.from, action).keys()].filter((contract) => contract !== null)
  const [lowest, holdings] = await Promise.all([
    sender.nextNonce?.(action.from),
    sender.holdings?.(action.from, contracts),
  ])
  return { lowest: lowest ?? null, holdings: holdings ?? null }
}

/** The address can pay for the intent, but not also for those that wait before it. No nonce was claimed. */
export class SenderShortageError extends BaseError {
  readonly code = 'sender_shortage'
  readonly retry = 'no'
  readonly shortage: Shortage
  constructor(shortage: Shortage) {
    super(`the sender lacks ${shortage.symbol}`)
    this.shortage = shortage
  }
}

/**
 * Claims a nonce for an intent, if the sender can pay for it after everything that waits before it. Otherwise
 * the network would refuse one of them, and every later nonce would wait for ever.
 * @returns null if the chain has no nonces
 * @throws SenderShortageError
 */
export async function assignNonce(
  tx: Tx,
  sending: SendingChain,
  row: Intent,
  terms: Terms,
  address: AddressState,
): Promise<bigint | null> {
  if (address.lowest === null) return null
  const owner = { chain: row.chain, address: row.action.from, intentId: row.id }
  const nonce = await claimNonce(tx, owner, address.lowest)
  const shortage =
    address.holdings && (await shortageBehind(tx, sending, row, terms, nonce, address.holdings))
  if (shortage) throw new SenderShortageError(shortage)
  return nonce
}

/** Amounts that an address spends by an action, without the fee. By contract; null: the native coin. */
function spentBy(
  address: string,
  action: Action,
): Map<string | null, { token: Token | null; amount: bigint }> {
  const spent = new Map<string | null, { token: Token | null; amount: bigint }>()
  for (const { token, amount } of flowsOf(action).spends.filter((each) => each.address === address)) {
    const contract = token?.contract ?? null
    spent.set(contract, { token, amount: amount + (spent.get(contract)?.amount ?? 0n) })
  }
  return spent
}

/** Native coin that an address spends by an action, without the fee. */
export const nativeSpentBy = (address: string, action: Action): bigint =>
  spentBy(address, action).get(null)?.amount ?? 0n

/**
 * Of each intent that waits between the newest block and a nonce: the sent attempt with the highest fee, or
 * its first attempt.
 */
const waitingBefore = `select distinct on (t.intent_id) t.intent_id as id, t.terms
  from intent_nonces s join intents o on o.id = s.intent_id
    join intent_attempts t on t.intent_id = s.intent_id and t.nonce = s.nonce and t.void_at is null
  where s.chain = $1 and s.address = $2 and s.nonce >= $3 and s.nonce < $4 and o.block_height is null
  order by t.intent_id, t.sends > 0 desc, case when t.sends > 0 then -t.number else t.number end`

async function shortageBehind(
  tx: Tx,
  { builder, chain }: SendingChain,
  { action }: Intent,
  terms: Terms,
  nonce: bigint,
  { used, native, tokens }: Holdings,
): Promise<Shortage | null> {
  const waiting = await tx.query<{ id: string; terms: Terms }>(waitingBefore, [
    chain.name,
    action.from,
    used.toString(),
    nonce.toString(),
  ])
  // Without others before it the plan has checked this already.
  if (waiting.length === 0) return null
  const before = await readIntents(tx, 'id = any($1::uuid[])', [waiting.map(({ id }) => id)])
  const all = [...before.map((each) => each.action), action].map((each) => spentBy(action.from, each))
  const amounts = (contract: string | null) =>
    all.reduce((sum, each) => sum + (each.get(contract)?.amount ?? 0n), 0n)
  for (const [contract, { token }] of spentBy(action.from, action)) {
    const available = contract === null ? undefined : tokens.get(contract)
    if (token === null || available === undefined) continue
    const required = amounts(contract)
    const { symbol, decimals } = token
    if (required > available) return { kind: 'token', symbol, decimals, required, available }
  }
  const required = [...waiting.map((each) => each.terms), terms].reduce(
    (sum, each) => sum + builder.maxFee(each),
    amounts(null),
  )
  return required > native ? { kind: 'native', ...chain.native, required, available: native } : null
}
