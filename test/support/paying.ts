import type { Memo } from '../../src/chains/chain.ts'
import type { ChainAccounts } from '../../src/chains/chainAccounts.ts'
import { assetsOf, type ConfiguredChain } from '../../src/chains/registry.ts'
import { type Account, platformAccount } from '../../src/ledger/account.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import { tokenAsset } from '../../src/ledger/entry.ts'
import { post } from '../../src/ledger/post.ts'
import type { OutflowStep, OutflowsContext } from '../../src/outflows/context.ts'
import { dueOutflows } from '../../src/outflows/dueOutflows.ts'
import { moveOutflow } from '../../src/outflows/moveOutflow.ts'
import { lockOutflow, type Outflow, readOutflows } from '../../src/outflows/outflow.ts'
import { stepOutflow } from '../../src/outflows/stepOutflow.ts'
import { type NewOutflow, storeOutflow } from '../../src/outflows/storeOutflow.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import type { IntentPurpose } from '../../src/txmgr/intents.ts'
import { provers } from './intentKeys.ts'
import { makeDestination } from './madeDestination.ts'
import { makeSource } from './madeSource.ts'
import { outflowEventsFor } from './outflowEvents.ts'
import { insertRefundRow } from './refundRow.ts'

/** What outflows are made on. */
export interface OutflowsOf {
  /** With the rights of its owner. */
  db: Db
  businessId: string
  chain: Pick<ConfiguredChain, 'name' | 'native' | 'tokens' | 'lookalikes'>
}

/** Money of the operator becomes a business's own. */
export const owe = (of: OutflowsOf, token: string, amount: bigint): Promise<void> =>
  adjust(of, amount, platformAccount('capital', tokenAsset(of.chain.name, token)), {
    name: 'available',
    businessId: of.businessId,
    asset: tokenAsset(of.chain.name, token),
  })

/** The operator has put money into the treasury. */
export function putIn(of: OutflowsOf, token: string, amount: bigint): Promise<void> {
  const asset = tokenAsset(of.chain.name, token)
  return adjust(
    of,
    amount,
    platformAccount(`treasury:${of.chain.name}`, asset),
    platformAccount('capital', asset),
  )
}

async function adjust(
  { db, businessId }: OutflowsOf,
  amount: bigint,
  debit: Account,
  credit: Account,
): Promise<void> {
  const postings = [
    { account: debit, amount },
    { account: credit, amount: -amount },
  ]
  await db.tx((tx) =>
    post(tx, [
      { kind: 'adjustment', businessId, cause: { kind: 'adjustment', id: newId() }, step: 1, postings },
    ]),
  )
}

export interface WantedOutflow extends Partial<NewOutflow> {
  token: string
  amount: bigint
  address: string
  memo?: Memo | null
}

/**
 * An outflow of a business to a wallet, as the api stores it, with its money held. A payout goes to a
 * destination that is saved for it; a refund gives back a payment that is made for it.
 */
export async function storedOutflow(
  of: OutflowsOf,
  { token, amount, address, memo = null, ...wanted }: WantedOutflow,
): Promise<Outflow> {
  const { db, businessId, chain } = of
  const { kind = 'payout', fee = 0n } = wanted
  const destinationId =
    kind === 'payout'
      ? (wanted.destinationId ??
        (await makeDestination(db, businessId, { chain: chain.name, address, memo })))
      : null
  const isRefund = kind === 'refund' && wanted.sessionId === undefined
  const sessionId = isRefund
    ? (await makeSource(db, { businessId, chain: chain.name, token, amount })).sessionId
    : null
  return db.tx(async (tx) => {
    const { outflow, entries } = await storeOutflow({ madeBy: 'api', prover: provers.api }, tx, {
      businessId,
      sessionId,
      status: 'pending',
      chain: chain.name,
      token,
      amount,
      bank: null,
      wallet: { chain: chain.name, token, address, memo, amount: amount - fee },
      ...wanted,
      kind,
      destinationId,
    })
    await insertRefundRow(tx, outflow)
    await post(tx, entries)
    return outflow
  })
}

/** What pays out: the worker's side of a suite of sweeps, of any family. */
export interface PayingOn extends Omit<OutflowsOf, 'chain'> {
  worker: Db
  chain: ConfiguredChain
  accounts: Pick<ChainAccounts, 'balances' | 'sender'>
  manager: { purposes: readonly IntentPurpose[] }
  work(): Promise<unknown>
  sign(): Promise<unknown>
  reconcile(): Promise<void>
  finish(): Promise<unknown>
}

export function startPaying(on: PayingOn) {
  const { db, worker, businessId, chain } = on
  const seen: OutflowStep[] = []
  const appKey = new Secret(Buffer.alloc(32, 1).toString('base64'))
  const ctx: OutflowsContext = {
    db: worker,
    log: createLog('test', 'silent'),
    chains: [chain],
    accountsOf: async () => on.accounts,
    purposes: on.manager.purposes,
    environment: 'test',
    appKey,
    outflowEvents: outflowEventsFor(appKey),
    maker: { madeBy: 'worker', prover: provers.worker },
    partner: null,
    screening: null,
    coinUsd: new Map(),
    pollMs: 1,
    observe: (step) => void seen.push(step),
  }
  const read = async (id: string): Promise<Outflow> => {
    const [outflow] = await readOutflows(db, 'id = $1', [id])
    if (!outflow) throw new Error(`no outflow ${id}`)
    return outflow
  }
  async function step(): Promise<void> {
    await db.query("update outflows set next_at = now() - interval '1 s' where next_at is not null")
    for (const id of await dueOutflows(worker)) await stepOutflow(ctx, id)
  }
  /** Worker, treasury and chain. */
  async function round(): Promise<void> {
    await step()
    await on.work()
    await on.reconcile()
    await on.sign()
    await on.reconcile()
    await on.finish()
    await on.reconcile()
    await step()
  }
  /** Until nothing of these outflows can change any more, or as long as it takes to see that they wait. */
  async function run(ids: readonly string[], rounds = 20): Promise<Outflow[]> {
    for (let i = 0; i < rounds; i++) {
      await round()
      const open = await db.query(
        'select 1 from outflows where id = any($1::uuid[]) and next_at is not null',
        [ids],
      )
      if (open.length === 0) break
    }
    return Promise.all(ids.map(read))
  }
  const contractOf = (symbol: string) =>
    assetsOf(chain).find((each) => each.symbol === symbol)?.contract ?? null
  return {
    ctx,
    seen,
    read,
    step,
    round,
    run,
    contractOf,
    owe: (token: string, amount: bigint) => owe(on, token, amount),
    putIn: (token: string, amount: bigint) => putIn(on, token, amount),
    /** It fails, as if it were refused. */
    end: (id: string) =>
      db.tx(async (tx) => {
        const row = await lockOutflow(tx, id)
        if (row)
          await moveOutflow(ctx, tx, row, {
            status: 'failed',
            release: 'refused_by_worker',
            reason: 'ended by a test',
          })
      }),
    destination: (address: string, memo: Memo | null = null) =>
      makeDestination(db, businessId, { chain: chain.name, address, memo }),
    payout: (wanted: WantedOutflow) => storedOutflow(on, wanted),
    /** Of the business. */
    balance: (name: 'available' | 'payouts_held', token: string) =>
      balanceOf(db, { name, businessId, asset: tokenAsset(chain.name, token) }),
    fees: (token: string) =>
      balanceOf(db, { name: 'fees', businessId: null, asset: tokenAsset(chain.name, token) }),
  }
}
