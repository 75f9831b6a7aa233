import { registeredChain } from '../chains/registry.ts'
import type { Account, PlatformAccountName } from '../ledger/account.ts'
import { platformAccount } from '../ledger/account.ts'
import { countSuspenseEntry } from '../ledger/countSuspenseEntry.ts'
import { type Cause, dollars, type Entry, type Posting, tokenAsset } from '../ledger/entry.ts'
import { entryToward } from '../ledger/entryToward.ts'
import { posted, released, reserved } from '../ledger/reservation.ts'
import { reverseEntry } from '../ledger/reverseEntry.ts'
import type { Tx } from '../platform/database/db.ts'
import { inMillionths, type Taken } from '../pricing/dollars.ts'
import { collectionOn } from '../sweeps/sweepKind.ts'
import { readIntents } from '../txmgr/intents.ts'
import type { Outflow } from './outflow.ts'

interface Reservation {
  businessId: string
  cause: Cause & { kind: 'payout' | 'refund' }
}

/** Null for an outflow of the platform, which holds no business's money. */
const reservationOf = ({ id, kind, businessId }: Outflow): Reservation | null =>
  businessId !== null && (kind === 'payout' || kind === 'refund') ? { businessId, cause: { kind, id } } : null

/** The entry that takes an outflow's money from `available`. */
export function reservation(outflow: Outflow): Entry[] {
  const of = reservationOf(outflow)
  return of ? [reserved(of, tokenAsset(outflow.chain, outflow.token), outflow.amount)] : []
}

/** The entry by which the money of an outflow that has not left goes back. */
export async function givenBack(tx: Tx, outflow: Outflow): Promise<Entry[]> {
  const of = reservationOf(outflow)
  return of ? [await released(tx, of)] : []
}

/** The entry of an outflow that has left: from the account that paid it, with what the platform earned. */
export async function hasLeft(tx: Tx, outflow: Outflow): Promise<Entry[]> {
  const of = reservationOf(outflow)
  if (of) return [await posted(tx, of, [...earned(outflow), ...paidFrom(outflow)])]
  if (outflow.kind === 'suspense') return [await goneBack(tx, outflow)]
  return outflow.kind === 'top_up' ? bookTopUp(tx, outflow, topUp(outflow, await keptOf(tx, outflow))) : []
}

/** The entry of a locked top-up that has left, where its token kept another part of it than is booked. */
export const keptOtherwise = async (tx: Tx, outflow: Outflow): Promise<Entry[]> =>
  outflow.kind === 'top_up' && outflow.status === 'completed' ? hasLeft(tx, outflow) : []

const bookTopUp = (tx: Tx, { id }: Outflow, wanted: readonly Posting[]): Promise<Entry[]> =>
  entryToward(
    tx,
    { kind: 'top_up', id },
    { posted: 'top_up.posted', corrected: 'top_up.corrected', reversed: 'top_up.returned' },
    wanted,
  )

const paymentOf = ({ id, paymentId }: Outflow): string => {
  if (paymentId === null) throw new Error(`outflow ${id} names no payment`)
  return paymentId
}

/**
 * Suspense no longer owes it. An entry of the payment, counted with its others: settling the payment goes on
 * from there.
 */
async function goneBack(tx: Tx, outflow: Outflow): Promise<Entry> {
  const cause = { kind: 'suspense_payment', id: paymentOf(outflow) } as const
  const owed = platformAccount('suspense', tokenAsset(outflow.chain, outflow.token))
  return {
    kind: 'suspense.returned',
    businessId: null,
    cause,
    step: await countSuspenseEntry(tx, cause.id),
    postings: [{ account: owed, amount: outflow.amount }, ...paidFrom(outflow)],
  }
}

/** Suspense owes it again. */
async function notGoneBack(tx: Tx, outflow: Outflow): Promise<Entry[]> {
  const paymentId = paymentOf(outflow)
  const [entry] = await tx.query<{ id: string }>(
    "select id from ledger_entries where reference = $1 and cause_kind = 'suspense_payment' and kind = 'suspense.returned' order by step desc limit 1",
    [paymentId],
  )
  if (!entry) return []
  return [
    await reverseEntry(tx, {
      id: entry.id,
      businessId: null,
      kind: 'suspense.return_reversed',
      step: await countSuspenseEntry(tx, paymentId),
    }),
  ]
}

/** The entry that takes the one of `hasLeft` back, where the chain takes the transaction back for good. */
export async function cameBack(tx: Tx, outflow: Outflow): Promise<Entry[]> {
  if (outflow.kind === 'suspense') return notGoneBack(tx, outflow)
  if (outflow.kind === 'top_up') return bookTopUp(tx, outflow, [])
  const kind = `${outflow.kind}.posted`
  const [entry] = await tx.query<{ id: string }>(
    'select id from ledger_entries where reference = $1 and cause_kind = $2 and kind = $3',
    [outflow.id, outflow.kind, kind],
  )
  if (!entry) return []
  return [
    await reverseEntry(tx, {
      id: entry.id,
      businessId: outflow.businessId,
      kind: `${outflow.kind}.returned`,
      step: 3,
    }),
  ]
}

/**
 * The entry of a payout that the bank has returned: the business gets back what was sent, and the platform
 * keeps what it earned. The partner gave back what it took, without its fee, which is lost. The exchange is
 * taken back at par, as it was made.
 */
export function returnedByBank(outflow: Outflow): Entry[] {
  const { id, kind, businessId, chain, token, bank, partnerReturned } = outflow
  const of = reservationOf(outflow)
  if (!of || businessId === null || bank === null || partnerReturned === null)
    throw new Error(`outflow ${id} cannot be returned by a bank`)
  const [source, principal] = [tokenAsset(chain, token), principalOf(outflow)]
  return [
    {
      kind: `${kind}.returned`,
      businessId,
      cause: of.cause,
      step: 3,
      postings: [
        { account: platformAccount('exchange', source), amount: principal },
        ...credit({ name: 'available', businessId, asset: source }, principal),
        ...paidByPartner(bank.partner, { chain, token, amount: principal }, partnerReturned).map((each) => ({
          ...each,
          amount: -each.amount,
        })),
      ],
    },
  ]
}

/** What is taken, without what the platform keeps. */
export const principalOf = ({
  amount,
  fee,
  margin,
  rounding,
}: Pick<Outflow, 'amount' | 'fee' | 'margin' | 'rounding'>): bigint => amount - fee - margin - rounding

const credit = (account: Account, amount: bigint): Posting[] =>
  amount === 0n ? [] : [{ account, amount: -amount }]

/** The platform's income from an outflow in the books: its fee, its margin and what was rounded. */
function earned({ chain, token, fee, margin, rounding }: Outflow): Posting[] {
  const to = (name: PlatformAccountName) => platformAccount(name, tokenAsset(chain, token))
  return [...credit(to('fees'), fee), ...credit(to('fx_margin'), margin), ...credit(to('rounding'), rounding)]
}

/** Where the money of a chain is: on Stellar the deposit account is the treasury. */
export const holderOn = (chain: string): PlatformAccountName =>
  collectionOn(registeredChain(chain)) === 'direct' ? `deposits:${chain}` : `treasury:${chain}`

function paidFrom(outflow: Outflow): Posting[] {
  const { chain, token, wallet, bank, paidElsewhere, partnerCost } = outflow
  const source = tokenAsset(chain, token)
  const principal = principalOf(outflow)
  if (paidElsewhere !== null) return credit(platformAccount('capital', source), principal)
  if (wallet !== null) {
    const target = tokenAsset(wallet.chain, wallet.token)
    if (target === source && wallet.amount !== principal)
      throw new Error(`outflow ${outflow.id} sends ${wallet.amount} of ${principal}`)
    const sent = credit(platformAccount(holderOn(wallet.chain), target), wallet.amount)
    return target === source
      ? sent
      : [
          ...credit(platformAccount('exchange', source), principal),
          { account: platformAccount('exchange', target), amount: wallet.amount },
          ...sent,
        ]
  }
  if (bank === null || partnerCost === null)
    throw new Error(`it is not known what outflow ${outflow.id} has cost`)
  return [
    ...credit(platformAccount('exchange', source), principal),
    ...paidByPartner(bank.partner, { chain, token, amount: principal }, partnerCost),
  ]
}

/**
 * The token is exchanged at par, one for one. What the partner took less or more than that is gained or lost.
 */
function paidByPartner(partner: string, principal: Taken, cost: bigint): Posting[] {
  const par = inMillionths(principal, 'down')
  return [
    ...credit(platformAccount('exchange', dollars), -par),
    ...credit(platformAccount(`partner:${partner}`, dollars), cost),
    ...credit(platformAccount('fx_result', dollars), par - cost),
  ]
}

/** What the token kept of it, which the partner did not get. */
async function keptOf(tx: Tx, { intentId }: Outflow): Promise<bigint> {
  const [intent] = intentId === null ? [] : await readIntents(tx, 'id = $1', [intentId])
  return intent?.tokenKept?.reduce((sum, { amount }) => sum + amount, 0n) ?? 0n
}

/** Tokens become dollars at the partner, one for one: those that arrived. */
function topUp({ id, chain, token, amount: sent, bank }: Outflow, kept: bigint): Posting[] {
  if (bank === null) throw new Error(`top-up ${id} names no partner`)
  const amount = sent - kept
  const [source, got] = [tokenAsset(chain, token), inMillionths({ chain, token, amount }, 'down')]
  return [
    ...credit(platformAccount('exchange', source), -amount),
    ...credit(platformAccount('network_costs', source), -kept),
    ...credit(platformAccount(holderOn(chain), source), sent),
    { account: platformAccount(`partner:${bank.partner}`, dollars), amount: got },
    ...credit(platformAccount('exchange', dollars), got),
  ]
}
