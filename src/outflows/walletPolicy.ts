import type { Action } from '../chains/action.ts'
import type { Memo } from '../chains/chain.ts'
import { type Asset, knownChain } from '../chains/registry.ts'
import { tokenDecimals } from '../chains/tokenDecimals.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import type { Intent, TreasuryChain, TreasuryFacts } from '../txmgr/intents.ts'
import { topUpAddress } from './bank/topUpAddress.ts'
import { dailyLimit, dailyLimitReached, lockAsset, sentToday } from './dailyLimit.ts'
import { type Outflow, readOutflows, type WalletTarget } from './outflow.ts'
import {
  readDestination,
  refusalOfDestination,
  refusalOfSource,
  refusalOfUnapproved,
  refusalOfUnproven,
  refusalOfUnreserved,
  type StoredDestination,
} from './outflowPolicy.ts'

/** An outflow to a wallet. */
type ToWallet = Outflow & { wallet: WalletTarget }

/**
 * The treasury's policy of outflows to wallets: the row belongs to an outflow that its maker has proven, which
 * goes where the api has proven, takes money that is held for it, and leaves once. No other row is trusted.
 */
export async function refusalOfWalletOutflow(
  tx: Tx,
  row: Intent,
  own: TreasuryFacts,
): Promise<string | null> {
  if (row.businessId !== null) return 'it is not of the platform'
  // Locked, so that no other intent becomes the outflow's before this is signed.
  const [outflow] = await readOutflows(tx, 'intent_id = $1 for share', [row.id])
  if (!outflow) return 'it belongs to no outflow'
  if (!goesToWallet(outflow)) return 'its outflow goes to no wallet'
  if (outflow.wallet.chain !== row.chain) return 'its outflow goes to another chain'
  const isTaken = await hasTaken(tx, outflow.id, row.id)
  return (
    refusalOfStatus(outflow, isTaken) ??
    (await refusalOfUnproven(tx, outflow, own.proofs)) ??
    (await refusalOfTarget(tx, outflow, own, isTaken)) ??
    (await refusalOfUnapproved(tx, outflow, own.proofs, isTaken)) ??
    refusalOfAmount(outflow) ??
    (await refusalOfUnreserved(tx, outflow, isTaken)) ??
    (await refusalOfSource(tx, outflow, isTaken)) ??
    (await refusalOfSecond(tx, outflow, row)) ??
    (await refusalOfLimit(tx, outflow, row, own.chain))
  )
}

const goesToWallet = (outflow: Outflow): outflow is ToWallet => outflow.wallet !== null

/** The intent was taken for the outflow before: a higher fee, or its transaction again. */
const hasTaken = async (db: Queryable, outflowId: string, intentId: string): Promise<boolean> =>
  (
    await db.query('select 1 from outflow_signatures where outflow_id = $1 and intent_id = $2', [
      outflowId,
      intentId,
    ])
  ).length > 0

/** A fork may have taken a completed one back. */
function refusalOfStatus({ status, byHand }: Outflow, isTaken: boolean): string | null {
  if (byHand !== null) return 'its outflow was ended by hand'
  const isOpen = status === 'processing' || (isTaken && (status === 'unknown' || status === 'completed'))
  return isOpen ? null : `its outflow is ${status}`
}

async function refusalOfTarget(
  tx: Tx,
  outflow: ToWallet,
  own: TreasuryFacts,
  isTaken: boolean,
): Promise<string | null> {
  const { kind, wallet } = outflow
  if (kind === 'top_up')
    return topUpAddress(own, wallet) === wallet.address
      ? null
      : 'it is not the address of top-ups that the treasury has'
  if (kind !== 'payout') return null
  const isThere = (destination: StoredDestination) =>
    destination.kind === 'wallet' &&
    destination.chain === wallet.chain &&
    destination.address === wallet.address &&
    destination.memo === (wallet.memo?.value ?? null) &&
    destination.memoType === (wallet.memo?.type ?? null)
  return refusalOfDestination(tx, await readDestination(tx, outflow), own.proofs, isThere, isTaken)
}

/** Only tokens that are worth the same are exchanged for each other. */
function refusalOfAmount({ chain, token, amount, fee, wallet }: ToWallet): string | null {
  const isSame = chain === wallet.chain && token === wallet.token
  if (!isSame && !(isAccepted(chain, token) && isAccepted(wallet.chain, wallet.token)))
    return 'its outflow takes another asset'
  const [taken, sent] = [
    10n ** BigInt(tokenDecimals(chain, token)),
    10n ** BigInt(tokenDecimals(wallet.chain, wallet.token)),
  ]
  return wallet.amount * taken <= (amount - fee) * sent ? null : 'its outflow sends more than it takes'
}

const isAccepted = (chain: string, token: string): boolean =>
  knownChain(chain)?.tokens.some(({ symbol }) => symbol === token) ?? false

/**
 * Another intent may take an outflow only if nothing of the first was ever signed: the treasury reads no
 * chain about it.
 */
async function refusalOfSecond(tx: Tx, { id }: Outflow, row: Intent): Promise<string | null> {
  const [other] = await tx.query(
    `select 1 from outflow_signatures o join treasury_signatures s on s.intent_id = o.intent_id where o.outflow_id = $1 and o.intent_id <> $2 limit 1`,
    [id, row.id],
  )
  if (other) return 'another transaction of its outflow is signed'
  await tx.query(
    'insert into outflow_signatures (outflow_id, intent_id) values ($1, $2) on conflict do nothing',
    [id, row.id],
  )
  return null
}

async function refusalOfLimit(
  tx: Tx,
  { wallet }: ToWallet,
  row: Intent,
  chain: TreasuryChain,
): Promise<string | null> {
  const asset = assetOf(chain, wallet.token)
  if (!asset) return `${wallet.token} on ${chain.name} is not known`
  const limit = dailyLimit(chain, asset)
  if (limit === null) return null
  await lockAsset(tx, chain.name, asset)
  return (await sentToday(tx, chain.name, asset, row.id)) + wallet.amount > limit
    ? dailyLimitReached(chain.name, asset)
    : null
}

const assetOf = ({ tokens, lookalikes, native }: TreasuryChain, symbol: string): Asset | undefined =>
  [...tokens, ...lookalikes, { ...native, contract: null }].find((each) => each.symbol === symbol)

/** The one transfer that an outflow requests; a payout's to the destination's own address. */
export async function walletAction(
  tx: Tx,
  row: Intent,
  { addresses, chain }: TreasuryFacts,
): Promise<Action | null> {
  const [outflow] = await readOutflows(tx, 'intent_id = $1', [row.id])
  if (!outflow || !goesToWallet(outflow)) return null
  const { kind, wallet } = outflow
  const asset = assetOf(chain, wallet.token)
  const target = kind === 'payout' ? walletOf(await readDestination(tx, outflow)) : wallet
  if (!asset || !target) return null
  return {
    kind: 'transfer',
    from: addresses.treasury(chain.family),
    to: target.address,
    token:
      asset.contract === null
        ? null
        : { contract: asset.contract, symbol: asset.symbol, decimals: asset.decimals },
    amount: wallet.amount,
    memo: target.memo,
    gasPrice: null,
    gasLimit: null,
  }
}

function walletOf(destination: StoredDestination | null): { address: string; memo: Memo | null } | null {
  if (destination === null || destination.address === null) return null
  const { address, memo, memoType } = destination
  return {
    address,
    memo: memo !== null && memoType !== null ? { value: memo, type: memoType as Memo['type'] } : null,
  }
}
