import type { Family } from '../chains/chain.ts'
import { addressCodec } from '../chains/codecs.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { BalanceReader } from '../chains/sending.ts'
import { recordEvents } from '../events/recordEvents.ts'
import { formatUnits } from '../money/amount.ts'
import type { Db } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import type { Log } from '../platform/telemetry/log.ts'

type CheckedChain = Pick<ConfiguredChain, 'name' | 'family' | 'native' | 'lowBalance'>

export interface BalanceCheckContext {
  db: Db
  log: Log
  chains: readonly CheckedChain[]
  balancesOf(chain: string): Promise<Pick<BalanceReader, 'spendable'>>
  /** Between two checks of a wallet. */
  everyMs: number
}

/** Wallets of a chain in one round: one or two calls to a node; on tron one for each wallet. */
const maxAtOnce: Record<Family, number> = { evm: 200, solana: 100, stellar: 200, tron: 20 }
/** A wallet that has not sent for this long is not checked until it sends again. */
const idleDays = 30
/** Wallets whose balance could not be read are checked again after this time. */
const retryMs = 60_000

interface Checked {
  walletId: string
  businessId: string
  address: string
  name: string | null
  /** The check's number, as a fence. */
  checks: number
  wasLow: boolean
}

/**
 * Checks the native coin of wallets that send and are due, chain by chain, and announces each that ran low:
 * once, until it was topped up. Any number of workers may run this.
 */
export async function checkBalances(ctx: BalanceCheckContext): Promise<void> {
  await Promise.all(
    ctx.chains.map((chain) =>
      checkChain(ctx, chain).catch((error) =>
        ctx.log.warn({ chain: chain.name, err: messageOf(error) }, 'balances of wallets were not checked'),
      ),
    ),
  )
}

async function checkChain(ctx: BalanceCheckContext, chain: CheckedChain): Promise<void> {
  const claimed = await claim(ctx, chain)
  if (claimed.length === 0) return
  const balances = await read(ctx, chain, claimed)
  for (const [i, wallet] of claimed.entries()) {
    const balance = balances[i]
    if (balance !== undefined && balance < chain.lowBalance !== wallet.wasLow)
      await store(ctx, chain, wallet, balance)
  }
}

/**
 * Claims wallets that are due, and schedules their next check. Those of suspended businesses are left out.
 */
async function claim(
  { db, everyMs }: BalanceCheckContext,
  { name, family }: CheckedChain,
): Promise<Checked[]> {
  const rows = await db.query<Checked & { isChecked: boolean }>(
    `with due as (
       select wallet_id from wallet_balances where chain = $1 and check_at <= now() order by check_at limit $2 for update skip locked)
     update wallet_balances b set checks = b.checks + 1,
       check_at = case when w.archived_at is null and b.sent_at > now() - $4 * interval '1 day' then now() + $3 * interval '1 millisecond' end
     from due, wallets w, businesses z where b.wallet_id = due.wallet_id and w.id = b.wallet_id and z.id = b.business_id
     returning b.wallet_id as "walletId", b.business_id as "businessId", w.address, w.name, b.checks, b.low_since is not null as "wasLow",
       w.archived_at is null and z.approval <> 'suspended' as "isChecked"`,
    [name, maxAtOnce[family], everyMs, idleDays],
  )
  return rows.filter(({ isChecked }) => isChecked)
}

/** @throws ProviderError; the wallets are checked again soon */
async function read(
  { db, balancesOf }: BalanceCheckContext,
  { name }: CheckedChain,
  wallets: readonly Checked[],
): Promise<bigint[]> {
  try {
    return await (await balancesOf(name)).spendable(wallets.map(({ address }) => address))
  } catch (error) {
    await db.query(
      `update wallet_balances set check_at = least(check_at, now() + $2 * interval '1 millisecond') where wallet_id = any($1::uuid[]) and check_at is not null`,
      [wallets.map(({ walletId }) => walletId), retryMs],
    )
    throw error
  }
}

/**
 * Stores that a wallet is low or no longer low, and announces the first. Does nothing if a later check has
 * overtaken this one.
 */
async function store(
  { db, log }: BalanceCheckContext,
  chain: CheckedChain,
  wallet: Checked,
  balance: bigint,
): Promise<void> {
  const { walletId, businessId, checks, wasLow, name } = wallet
  const { symbol, decimals } = chain.native
  const show = (amount: bigint) => formatUnits(amount, decimals)
  const shown = { chain: chain.name, address: addressCodec(chain.family).display(wallet.address), symbol }
  const isStored = await db.tx(async (tx) => {
    const stored = await tx.query(
      `update wallet_balances set low_since = case when $4 then null else now() end
       where wallet_id = $1 and business_id = $2 and checks = $3 and (low_since is not null) = $4 returning wallet_id`,
      [walletId, businessId, checks, wasLow],
    )
    if (stored.length === 0) return false
    const data = { walletId, name, ...shown, balance: show(balance), threshold: show(chain.lowBalance) }
    const about = { ...shown, amount: show(balance), txId: null }
    if (!wasLow) recordEvents(tx, businessId, [{ type: 'wallet.low_balance', data, about }])
    return true
  })
  if (isStored)
    log.info(
      { wallet: walletId, chain: chain.name, balance: show(balance) },
      wasLow ? 'a wallet was topped up' : 'a wallet ran low',
    )
}
