import { intentPurposes } from '../../src/capabilities.ts'
import { assetsOf } from '../../src/chains/registry.ts'
import { sweepActions } from '../../src/chains/sweepActions.ts'
import { transferBuilder } from '../../src/chains/transferBuilders.ts'
import { takeDepositAddress } from '../../src/custody/depositPool.ts'
import { envKeyProvider } from '../../src/custody/keyProvider.ts'
import { openPlatformKeys } from '../../src/custody/platformKeys.ts'
import { openSeed } from '../../src/custody/seed.ts'
import { publishTreasuries } from '../../src/custody/treasuryAddress.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import { tokenAsset } from '../../src/ledger/entry.ts'
import { post } from '../../src/ledger/post.ts'
import { openDb } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { sessionModel } from '../../src/sessions/model.ts'
import { settleSession } from '../../src/sessions/settleSession.ts'
import type { SweepStep, SweepsContext } from '../../src/sweeps/context.ts'
import { dueSweeps, readDue } from '../../src/sweeps/dueSweeps.ts'
import { planSource } from '../../src/sweeps/planSource.ts'
import { stepSweep } from '../../src/sweeps/stepSweep.ts'
import { readSweeps } from '../../src/sweeps/sweepRow.ts'
import type { TxManagerContext } from '../../src/txmgr/context.ts'
import { readIntents } from '../../src/txmgr/intents.ts'
import { reconcileIntent } from '../../src/txmgr/reconcile.ts'
import type { Check } from '../../src/txmgr/signingPolicy.ts'
import { type SigningContext, signPending } from '../../src/txmgr/signPending.ts'
import { addWatch } from '../../src/watches/addWatch.ts'
import { platformSigners } from '../../treasury/platformSigners.ts'
import { createTestDatabase } from './database.ts'
import { defaultSettings } from './defaultSettings.ts'
import type { FamilyNode } from './familyNodes.ts'
import { proofs, provers } from './intentKeys.ts'
import { insertBusiness } from './madeBusiness.ts'
import { settling } from './settling.ts'
import { seedKey, urlAs } from './template.ts'

/** The seed in the template. */
export async function seedOfTests(): Promise<Uint8Array> {
  const database = await createTestDatabase()
  try {
    return (await openSeed({ db: database.db, keyProvider: envKeyProvider(new Secret(seedKey)) })).reveal()
  } finally {
    await database.drop()
  }
}

export type FamilySweeping = Awaited<ReturnType<typeof startFamilySweeping>>

/**
 * Sweeps of any family on a devnet and a database, by the rights of worker and treasury; a test starts each
 * step.
 */
export async function startFamilySweeping<Node extends FamilyNode>(node: Node) {
  const { chain, accounts } = node
  const { name, family } = chain
  const database = await createTestDatabase(8)
  const [worker, treasury] = [
    openDb(urlAs('worker', database.url), 3),
    openDb(urlAs('treasury', database.url), 3),
  ]
  const log = createLog('test', 'silent')
  const keys = openPlatformKeys(
    await openSeed({ db: database.db, keyProvider: envKeyProvider(new Secret(seedKey)) }),
  )
  await publishTreasuries(treasury, keys, [family])
  const treasuryAddress = keys.treasury(family)
  const businessId = newId()
  await insertBusiness(database.db, businessId)
  await database.db.query(
    'insert into chain_cursors (chain, epoch, height) values ($1, 1, 1) on conflict (chain) do update set height = 1',
    [name],
  )
  const builder = await transferBuilder(chain)
  const [actions, reader] = [await sweepActions(chain), accounts.sweeps]
  const sendingChain = { chain, builder, sender: accounts.sender }
  const purposes = intentPurposes
  const manager: TxManagerContext = {
    db: worker,
    log,
    sendingChain: async () => sendingChain,
    purposes,
    prover: provers.worker,
    reconcileMs: 1,
    bumpAfterMs: 1,
    unminableMs: 0,
    feeWaitMs: 3_600_000,
    settings: defaultSettings,
    environment: 'test',
    observe: () => {},
  }
  const seen: SweepStep[] = []
  const sweeps: SweepsContext = {
    db: worker,
    log,
    purposes,
    prover: provers.worker,
    sweeping: async () =>
      actions && reader ? { ...sendingChain, actions, reader, balances: accounts.balances } : null,
    costs: { maxShare: { numerator: 2n, denominator: 100n }, coinUsd: new Map() },
    pollMs: 1,
    observe: (step) => void seen.push(step),
  }
  const signing: SigningContext = {
    db: treasury,
    log,
    environment: 'test',
    proofs,
    signing: async () => ({ chain, builder }),
    signers: platformSigners(keys),
    addresses: keys,
    purposes,
    signed: () => {},
  }
  let height = 1
  const assetOf = (symbol: string) => {
    const asset = assetsOf(chain).find((each) => each.symbol === symbol)
    if (!asset) throw new Error(`${name} has no ${symbol}`)
    return asset
  }

  /** The operator's own money, on the chain and in the books. */
  async function fund(symbol: string, amount: bigint): Promise<void> {
    await node.pay(treasuryAddress, assetOf(symbol).contract, amount)
    await capital(symbol, amount)
  }

  /** In the books alone. */
  async function capital(symbol: string, amount: bigint): Promise<void> {
    const asset = tokenAsset(name, symbol)
    const postings = [
      { account: { name: `treasury:${name}` as const, businessId: null, asset }, amount },
      { account: { name: 'capital' as const, businessId: null, asset }, amount: -amount },
    ]
    await database.db.tx((tx) =>
      post(tx, [
        {
          kind: 'adjustment',
          businessId: null,
          cause: { kind: 'adjustment', id: newId() },
          step: 1,
          postings,
        },
      ]),
    )
  }

  /** A session's address that nothing was paid to. */
  async function session() {
    const address = await database.db.tx((tx) => takeDepositAddress(tx, family))
    const { id } = await sessionModel(database.db.sequelize).create({
      id: newId(),
      businessId,
      chain: name,
      token: chain.tokens[0]?.symbol ?? '',
      family,
      address,
      amountExpected: '1',
      localAmount: null,
      localCurrency: null,
      rate: null,
      fxMarginPercent: '0',
      fee: '0',
      feeCurrency: 'USDC',
      requiredConfirmations: 1,
      label: null,
      reference: null,
      metadata: null,
      expiresAt: new Date(Date.now() + 600_000),
    })
    const finality = { policyId: null, amount: null }
    await database.db.tx(async (tx) =>
      addWatch(tx, { family, address, businessId, purpose: 'session', subjectId: id, finality }),
    )
    return { address, sessionId: id }
  }

  /** A session's address, which customers have paid: on the chain, and in the books. */
  async function deposit(...payments: readonly { symbol: string; amount: bigint }[]) {
    const made = await session()
    for (const each of payments) await paid(made, each)
    return made
  }

  async function paid(
    { address, sessionId }: { address: string; sessionId: string },
    { symbol, amount }: { symbol: string; amount: bigint },
  ) {
    const txId = await node.pay(address, assetOf(symbol).contract, amount)
    await detected(sessionId, address, { symbol, amount, txId })
    await settle(sessionId)
  }

  const settle = (sessionId: string) =>
    settleSession({ ...settling, db: worker, chains: [chain] }, { sessionId, outboxId: '0' })

  /** As the indexer stores it. */
  async function detected(
    sessionId: string,
    address: string,
    {
      symbol,
      amount,
      txId,
      status = 'confirmed',
    }: { symbol: string; amount: bigint; txId: string; status?: 'seen' | 'confirmed' },
  ): Promise<string> {
    const [transfer, detection] = [newId(), newId()]
    await database.db.query(
      `insert into transfers (id, chain, block_height, block_id, block_time, tx_id, movement_key, contract, token, from_address, to_address, amount)
       values ($1::uuid, $8, $2, $1::uuid::text, now(), $3, 'made', $4, $5, 'a customer', $6, $7)`,
      [transfer, ++height, txId, assetOf(symbol).contract, symbol, address, amount.toString(), name],
    )
    await database.db.query(
      `insert into detections (id, transfer_id, watch_id, business_id, subject_id, chain, block_height, depth, status, confirmed_at, needs_agreement, direction)
       select $1, $2, id, business_id, subject_id, $5, $3, 1, $6, case when $6 = 'confirmed' then now() end, false, 'in' from watches where subject_id = $4`,
      [detection, transfer, height, sessionId, name, status],
    )
    return detection
  }

  const enable = (token: string, threshold = 0n) =>
    database.db.query(
      `insert into sweep_settings (business_id, chain, token, enabled, threshold) values ($1, $2, $3, true, $4)
       on conflict (business_id, chain, token) do update set enabled = true, threshold = excluded.threshold, updated_at = now()`,
      [businessId, name, token, threshold.toString()],
    )

  /** The worker does what is due now. */
  async function work(): Promise<void> {
    await worker.query('update sweeps set next_at = now() where next_at > now()')
    for (const each of await dueSweeps(worker)) {
      const read = readDue(each)
      await ('sweepId' in read ? stepSweep(sweeps, read.sweepId) : planSource(sweeps, read))
    }
  }
  const sign = (without: readonly Check[] = []) => signPending({ ...signing, without })
  async function reconcile(): Promise<void> {
    await database.db.query(
      "update intents set next_reconcile_at = now() - interval '1 s' where next_reconcile_at is not null",
    )
    for (const { id } of await readIntents(worker, 'next_reconcile_at is not null order by id', []))
      await reconcileIntent(manager, id)
  }
  /** Worker, treasury and chain, until nothing more happens. */
  async function run(rounds = 30): Promise<void> {
    for (let i = 0; i < rounds; i++) {
      await work()
      await reconcile()
      await sign()
      await reconcile()
      await node.finish()
      await reconcile()
      const [open] = await worker.query<{ open: number }>(
        `select ((select count(*) from sweeps where status not in ('done', 'failed', 'waiting'))
           + (select count(*) from sweep_sources where next_at <= now()))::int as open`,
      )
      if (open?.open === 0) return
    }
    const left = await readSweeps(worker, "status not in ('done', 'failed')", [])
    const intents = await readIntents(database.db, 'business_id is null', [])
    const [sweepsLeft, sent] = [
      left.map(({ symbol, status, reason }) => `${symbol} ${status} ${reason}`),
      intents.map(({ purpose, status, reason, message }) => `${purpose} ${status} ${reason} ${message}`),
    ]
    throw new Error(`the sweeps do not end: ${[...sweepsLeft, ...sent].join(', ')}`)
  }

  return {
    node,
    database,
    db: database.db,
    worker,
    businessId,
    keys,
    treasuryAddress,
    sweeps,
    signing,
    manager,
    builder,
    seen,
    fund,
    capital,
    session,
    deposit,
    paid,
    detected,
    settle,
    enable,
    work,
    sign,
    reconcile,
    run,
    /** Addresses whose sweep failed are due at once. */
    again: () => database.db.query('update sweep_sources set next_at = now() where failures > 0'),
    contractOf: (symbol: string) => assetOf(symbol).contract,
    held: (address: string, symbol: string) => node.held(address, assetOf(symbol).contract),
    rows: () => readSweeps(database.db, 'true order by id', []),
    intents: () => readIntents(database.db, 'business_id is null order by id', []),
    books: (account: `deposits:${string}` | `treasury:${string}` | 'network_costs', symbol: string) =>
      balanceOf(database.db, { name: account, businessId: null, asset: tokenAsset(name, symbol) }),
    async close() {
      await Promise.all([worker.close(), treasury.close(), node.close()])
      await database.drop()
    },
  }
}
