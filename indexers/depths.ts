import { ownRule, type RequiredDepth, requiredDepth } from '../src/chains/finality.ts'
import { tokenOf } from '../src/chains/registry.ts'
import { parseUnits } from '../src/money/amount.ts'
import type { Tx } from '../src/platform/database/db.ts'
import type { CommitContext } from './context.ts'
import { addsUp } from './purposes.ts'
import type { Found, Watch } from './watchesOf.ts'

/**
 * Amounts of different tokens are added as whole tokens with this many decimals, as in
 * `watches.finality_amount`.
 */
const decimals = 18

export interface PaymentSide {
  transferId: string
  found: Found
  watch: Pick<Watch, 'id' | 'purpose' | 'subjectId' | 'rules' | 'finalityAmount'>
}

/**
 * The confirmations that each payment needs. For a session, the sum of its payments up to the block decides,
 * and at least the session's amount: splitting a large amount must not credit it earlier. Amounts count only
 * for tokens accepted as payment; for others the chain's own rule holds.
 */
export async function depthsOf(
  ctx: Pick<CommitContext, 'chain'>,
  tx: Tx,
  sides: readonly PaymentSide[],
): Promise<RequiredDepth[]> {
  const { chain } = ctx
  // Without rules amounts decide nothing.
  if (!chain.finality.largeFrom && sides.every(({ watch }) => !watch.rules))
    return sides.map(() => ownRule(chain))
  const payments = sides.map(({ found: { transfer, asset, block }, watch }) => {
    const token = asset && tokenOf(chain, asset.symbol)
    return token
      ? {
          watch,
          symbol: token.symbol,
          height: block.height,
          amount: inWhole(transfer.amount, token.decimals),
        }
      : null
  })
  const toSessions = payments.filter((each) => each !== null).filter(({ watch }) => addsUp(watch.purpose))
  const sumOf = sumsUpToBlocks(toSessions, await receivedBefore(ctx, tx, sides))
  return payments.map((payment) => {
    if (!payment) return ownRule(chain)
    const { watch, symbol, amount } = payment
    const [sum, expected] = [sumOf.get(payment) ?? amount, expectedBy(watch)]
    return requiredDepth(chain, watch.rules, { symbol, decimals }, larger(sum, expected))
  })
}

function expectedBy({ finalityAmount }: PaymentSide['watch']): bigint {
  const amount = parseUnits(finalityAmount ?? '0', decimals)
  if (amount === null) throw new Error(`not an amount with ${decimals} decimals: ${finalityAmount}`)
  return amount
}

interface Payment {
  watch: Pick<Watch, 'id'>
  height: number
  amount: bigint
}

/**
 * For each payment, the sum of all payments to its watch up to its block.
 * @param before sums of other payments, by watch
 */
export function sumsUpToBlocks<P extends Payment>(
  payments: readonly P[],
  before: ReadonlyMap<string, bigint>,
): Map<P, bigint> {
  const [sums, blocks] = [new Map(before), new Map<string, bigint>()]
  const blockOf = ({ watch, height }: P) => `${watch.id} ${height}`
  for (const payment of payments.toSorted((a, b) => a.height - b.height)) {
    const sum = (sums.get(payment.watch.id) ?? 0n) + payment.amount
    sums.set(payment.watch.id, sum)
    blocks.set(blockOf(payment), sum)
  }
  return new Map(payments.map((payment) => [payment, blocks.get(blockOf(payment)) ?? payment.amount]))
}

/** Recorded payments of the sessions, without reverted ones and without the payments themselves. */
async function receivedBefore(
  { chain }: Pick<CommitContext, 'chain'>,
  tx: Tx,
  sides: readonly PaymentSide[],
): Promise<Map<string, bigint>> {
  const watches = sides
    .map(({ watch }) => watch)
    .filter(({ purpose, rules }) => addsUp(purpose) && (rules || chain.finality.largeFrom))
  if (watches.length === 0) return new Map()
  const rows = await tx.query<{ watchId: string; token: string; amount: string }>(
    `select d.watch_id as "watchId", t.token, sum(t.amount)::text as amount from detections d join transfers t on t.id = d.transfer_id
     where d.subject_id = any($1::uuid[]) and d.watch_id = any($2::uuid[]) and d.chain = $3 and d.status <> 'reverted'
       and t.token = any($4::text[]) and t.id <> all($5::uuid[]) group by 1, 2`,
    [
      watches.map((watch) => watch.subjectId),
      watches.map(({ id }) => id),
      chain.name,
      chain.tokens.map(({ symbol }) => symbol),
      sides.map(({ transferId }) => transferId),
    ],
  )
  const sums = new Map<string, bigint>()
  for (const { watchId, token, amount } of rows) {
    const whole = inWhole(BigInt(amount), tokenOf(chain, token)?.decimals ?? decimals)
    sums.set(watchId, (sums.get(watchId) ?? 0n) + whole)
  }
  return sums
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const inWhole = (amount: bigint, of: number): bigint => amount * 10n ** BigInt(decimals - of)
