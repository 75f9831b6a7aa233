import type { StakeAccount, StakeReading } from '../../../src/chains/staking.ts'
import { newId } from '../../../src/platform/ids.ts'
import { hasFailed, insertMove, isOpen, type StakeMove } from '../../../src/staking/native/stakeMoves.ts'
import { stepStake } from '../../../src/staking/stepStake.ts'
import { insertStake, readStakes } from '../../../src/staking/storedStake.ts'
import { insertIntent } from '../../../src/txmgr/intents.ts'
import { insertBusiness } from '../../support/madeBusiness.ts'
import { blockIdOf, makePlan, storeSignedStake } from '../../support/stakeRow.ts'
import { makeStakingWorld, type StakingWorld } from './world.ts'

/**
 * Native stakes on a real Postgres, with a chain that tests write: a plain list of transactions, carried out
 * in their order.
 */

const businessId = newId()
const from = `0x${'1'.repeat(40)}`
const rent = 7n
let world: StakingWorld
let planId: string
export async function startNativeWorld(): Promise<void> {
  world = await makeStakingWorld()
  await insertBusiness(world.database.db, businessId)
  planId = await makePlan(world.database.db, { type: 'native', token: 'ETH' })
  world.ctx.nativeStaking = async () => async (owner) => lookAt(owner.id)
}
export const dropNativeWorld = () => world?.database.drop()

export type Status = StakeMove['status']
/** `delegate`: the owner delegates the account again, with another tool. */
interface Sent {
  id: string
  kind: 'stake' | 'unstake' | 'delegate' | 'deactivate' | 'close'
  stakeId: string
  restId: string | null
  amount: bigint
  status: Status
}
export interface Held {
  amount: bigint
  isDeactivated: boolean
}

let sent: Sent[] = []
let slot = 1
/** The nodes answer as of this slot; null: of now. */
let seenSlot: number | null = null
export function forget(): void {
  sent = []
  seenSlot = null
}
export const sentOnes = (): readonly Sent[] => sent
/** The nodes stay behind what comes next. */
export const stayBehind = (): void => {
  seenSlot = slot
}

/** What the chain holds, by stake. */
export const held = (): Map<string, Held> => accountsOf(({ status }) => status === 'confirmed')

/**
 * Whether the chain could come to this state of a transaction: what has not failed then takes less of each stake
 * than it has.
 */
export const couldBecome = (id: string, status: Status): boolean =>
  [...accountsOf((one) => !hasFailed({ status: one.id === id ? status : one.status })).values()].every(
    ({ amount }) => amount > 0n,
  )

function accountsOf(counts: (one: Sent) => boolean): Map<string, Held> {
  const accounts = new Map<string, Held>()
  for (const one of sent) {
    if (!counts(one)) continue
    const { kind, stakeId, restId, amount } = one
    if (kind === 'stake') accounts.set(stakeId, { amount, isDeactivated: false })
    const account = accounts.get(stakeId)
    if (!account) continue
    if (kind === 'close') accounts.delete(stakeId)
    if (kind === 'delegate' || kind === 'deactivate') account.isDeactivated = kind === 'deactivate'
    if (kind !== 'unstake') continue
    account.isDeactivated = true
    if (restId === null) continue
    account.amount -= amount
    accounts.set(restId, { amount, isDeactivated: false })
  }
  return accounts
}

export const accountOf = ({ amount, isDeactivated }: Held): StakeAccount => ({
  ...{
    account: 'a',
    lamports: amount + rent,
    staker: from,
    withdrawer: from,
    validator: 'v',
    delegated: amount,
    effective: amount,
  },
  ...{ state: isDeactivated ? 'inactive' : 'active', activating: 0n, deactivating: 0n, withdrawableAt: null },
})

function lookAt(id: string): StakeReading {
  const found = held().get(id)
  return {
    account: found ? accountOf(found) : null,
    slot: seenSlot ?? slot,
    epochEndsAt: new Date(Date.now() + 3_600_000),
    paysRewards: false,
  }
}

export const db = () => world.database.db

export async function store(
  purpose: 'native-stake' | 'native-unstake',
  row: Omit<Sent, 'id' | 'status'>,
): Promise<string> {
  const action = {
    kind: 'transfer',
    from,
    to: from,
    token: null,
    amount: 1n,
    memo: null,
    gasPrice: null,
    gasLimit: null,
  } as const
  const wanted = {
    businessId,
    purpose,
    chain: 'ethereum',
    signer: 'caller',
    walletId: null,
    action,
    symbol: 'ETH',
    decimals: 18,
  } as const
  const id = await db().tx(async (tx) => {
    const intent = await insertIntent(world.ctx, tx, wanted, 3_600_000, null)
    await storeRows(tx, intent.id, row)
    return intent.id
  })
  sent.push({ ...row, id, stakeId: row.kind === 'stake' ? id : row.stakeId, status: 'created' })
  return id
}

async function storeRows(
  tx: Parameters<typeof insertStake>[0],
  intentId: string,
  { kind, stakeId, restId, amount }: Omit<Sent, 'id' | 'status'>,
) {
  if (kind === 'stake') {
    await storeSignedStake(tx, intentId, 'ethereum')
    await insertStake(tx, {
      ...{
        id: intentId,
        businessId,
        planId,
        rootId: intentId,
        type: 'native',
        chain: 'ethereum',
        token: 'ETH',
        contract: null,
        decimals: 18,
      },
      ...{
        amount,
        stakedAmount: amount,
        apy: '5',
        lockDays: 0,
        penaltyPercent: '0',
        from,
        validator: 'v',
        createdAt: new Date(),
      },
      ...{ termsProof: null, confirmedAt: null, rent },
    })
    return
  }
  const [stake] = await readStakes(tx, 'id = $1', [stakeId])
  if (!stake) throw new Error('no stake')
  const part = restId === null ? stake.amount : stake.amount - amount
  if (restId !== null) await insertStake(tx, { ...stake, id: restId, amount, confirmedAt: null })
  await insertMove(tx, {
    intentId,
    stakeId,
    kind: 'unstake',
    restId,
    restAmount: restId === null ? null : amount,
    amount: null,
  })
  const set = "status = 'unstaking', unstaked_at = now(), penalty = 0, rewards = 0, amount = $2"
  await tx.query(`update stakes set ${set} where id = $1`, [stakeId, String(part)])
}

/** As the sending core does: a block has it, or no block has it any more. */
export async function becomes(id: string, status: Status): Promise<void> {
  slot += 1
  const height = status === 'confirmed' || status === 'failed' ? slot : null
  if (height !== null) world.blocks.set(height, new Date())
  const set =
    'status = $2, block_height = $3, reason = $4, block_id = $5, tx_id = $6, next_reconcile_at = null'
  const block = height === null ? null : blockIdOf(height)
  await db().query(`update intents set ${set} where id = $1`, [
    id,
    status,
    height,
    status === 'failed' ? 'it failed' : null,
    block,
    `0x${id}`,
  ])
  const one = sent.find((each) => each.id === id)
  if (one) one.status = status
}

/** Every stake is due; the worker works until nothing changes any more. */
export async function follow(): Promise<void> {
  await db().query('update stakes set next_at = now() where root_id = any($1::uuid[])', [
    sent.filter(({ kind }) => kind === 'stake').map(({ id }) => id),
  ])
  for (let rounds = 0; rounds < 20; rounds++) {
    const due = await db().query<{ id: string }>(
      'select id from stakes where next_at <= now() order by next_at',
    )
    if (due.length === 0) return
    for (const { id } of due) await stepStake(world.ctx, id)
  }
  throw new Error('it does not come to rest')
}

export const stakeNow = async (id: string) => {
  const [stake] = await readStakes(db(), 'id = $1', [id])
  if (!stake) throw new Error('no stake')
  return stake
}
export const eventsOf = async (id: string) =>
  (
    await db().query<{ type: string }>("select type from events where data->>'id' = $1 order by sequence", [
      id,
    ])
  ).map(({ type }) => type)

export async function staked(amount: bigint): Promise<string> {
  const id = await store('native-stake', { kind: 'stake', stakeId: '', restId: null, amount })
  await becomes(id, 'confirmed')
  await follow()
  return id
}
export const split = (stakeId: string, amount: bigint, restId: string = newId()) =>
  store('native-unstake', { kind: 'unstake', stakeId, restId, amount })
export const byOwner = (kind: 'delegate' | 'deactivate' | 'close', stakeId: string) => {
  slot += 1
  sent.push({ id: newId(), kind, stakeId, restId: null, amount: 0n, status: 'confirmed' })
}

/** No transaction is in a block without the one that it needs: it fails. */
export async function comeToRest(): Promise<void> {
  const exists = new Set<string>()
  for (const { id, kind, stakeId, restId, status } of sent) {
    if (kind !== 'stake' && kind !== 'unstake') continue
    const isPossible = kind === 'stake' || exists.has(stakeId)
    if (!isPossible && status !== 'expired') await becomes(id, 'expired')
    if (isPossible && isOpen({ status })) await becomes(id, 'confirmed')
    if (!isPossible || hasFailed({ status })) continue
    exists.add(kind === 'stake' ? id : stakeId)
    if (restId !== null) exists.add(restId)
  }
}

/** The worker takes one stake a step further. */
export async function stepNow(id: string): Promise<void> {
  await db().query('update stakes set next_at = now() where id = $1', [id])
  await stepStake(world.ctx, id)
}
