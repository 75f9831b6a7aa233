import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  numberToHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { intentPurposes } from '../../src/capabilities.ts'
import { evmBalanceReader } from '../../src/chains/evm/balanceReader.ts'
import { evmSweepActions } from '../../src/chains/evm/send/sweepActions.ts'
import { evmSweepReader } from '../../src/chains/evm/send/sweepReader.ts'
import { assetsOf, type Chain, type ConfiguredChain } from '../../src/chains/registry.ts'
import { takeDepositAddress } from '../../src/custody/depositPool.ts'
import { envKeyProvider } from '../../src/custody/keyProvider.ts'
import { openPlatformKeys } from '../../src/custody/platformKeys.ts'
import { openSeed } from '../../src/custody/seed.ts'
import { publishTreasuries } from '../../src/custody/treasuryAddress.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import { tokenAsset } from '../../src/ledger/entry.ts'
import { openDb } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { sessionModel } from '../../src/sessions/model.ts'
import { settleSession } from '../../src/sessions/settleSession.ts'
import { authorizePending } from '../../src/sweeps/authorizePending.ts'
import type { SweepStep, SweepsContext } from '../../src/sweeps/context.ts'
import { dueSweeps, readDue } from '../../src/sweeps/dueSweeps.ts'
import { planSource } from '../../src/sweeps/planSource.ts'
import { stepSweep } from '../../src/sweeps/stepSweep.ts'
import { readSweeps } from '../../src/sweeps/sweepRow.ts'
import type { SendingChain, TxManagerContext } from '../../src/txmgr/context.ts'
import { readIntents } from '../../src/txmgr/intents.ts'
import { reconcileIntent } from '../../src/txmgr/reconcile.ts'
import type { Check } from '../../src/txmgr/signingPolicy.ts'
import { type SigningContext, signPending } from '../../src/txmgr/signPending.ts'
import { addWatch } from '../../src/watches/addWatch.ts'
import { platformSigners } from '../../treasury/platformSigners.ts'
import { devnetChain, type EvmChainName, startEvmDevnet } from '../devnets/evm.ts'
import { createTestDatabase } from './database.ts'
import { defaultSettings } from './defaultSettings.ts'
import { type Change, changed, sendingOn } from './evmSending.ts'
import { proofs, provers } from './intentKeys.ts'
import { insertBusiness } from './madeBusiness.ts'
import { settling } from './settling.ts'
import { seedKey, urlAs } from './template.ts'

export type Sweeping = Awaited<ReturnType<typeof startSweeping>>

/** Sweeps on a node and a database, by the rights of worker and treasury; a test starts each step. */
export async function startSweeping(name: EvmChainName = 'ethereum') {
  const [database, devnet] = await Promise.all([
    createTestDatabase(8),
    startEvmDevnet({ chain: name, blockSeconds: 0 }),
  ])
  const [worker, treasury] = [
    openDb(urlAs('worker', database.url), 3),
    openDb(urlAs('treasury', database.url), 3),
  ]
  const hooks: { change: Change } = { change: (_method, _params, truth) => truth() }
  const by = sendingOn(devnet, { confirmations: 1, finalizedDepth: 2, byFinalizedTag: false }, [
    changed(devnet.rpcUrl, 'node', (...asked) => hooks.change(...asked)),
  ])
  const chain = by.ctx.chain as Chain as ConfiguredChain
  const log = createLog('test', 'silent')
  const keys = openPlatformKeys(
    await openSeed({ db: database.db, keyProvider: envKeyProvider(new Secret(seedKey)) }),
  )
  await publishTreasuries(treasury, keys, ['evm'])
  const treasuryAddress = keys.treasury('evm')
  await by.fund(treasuryAddress, 10n ** 19n)
  const businessId = newId()
  await insertBusiness(database.db, businessId)
  await database.db.query('insert into chain_cursors (chain, epoch) values ($1, 1) on conflict do nothing', [
    name,
  ])
  const sendingChain = { chain, builder: by.builder, sender: by.sender } as SendingChain
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
  const reader = evmSweepReader(by.ctx)
  const sweepingChain = {
    ...sendingChain,
    actions: evmSweepActions(chain),
    reader,
    balances: evmBalanceReader(by.ctx),
  }
  const sweeps: SweepsContext = {
    db: worker,
    log,
    purposes,
    prover: provers.worker,
    sweeping: async () => sweepingChain,
    costs: { maxShare: { numerator: 2n, denominator: 100n }, coinUsd: new Map() },
    pollMs: 1,
    observe: (step) => void seen.push(step),
  }
  const signing: SigningContext = {
    db: treasury,
    log,
    environment: 'test',
    proofs,
    signing: async () => ({ chain: { ...chain, maxFee: 10n ** 17n }, builder: by.builder }),
    signers: platformSigners(keys),
    addresses: keys,
    purposes,
    signed: () => {},
  }
  const faucet = createWalletClient({
    account: privateKeyToAccount(devnet.faucetPrivateKey),
    chain: devnetChain(name, devnet.rpcUrl),
    transport: http(devnet.rpcUrl),
  })
  let height = 0

  /** A session's address, which customers have paid: on the chain, and in the books. */
  async function deposit(...payments: readonly { symbol: string; amount: bigint }[]) {
    const address = await database.db.tx((tx) => takeDepositAddress(tx, 'evm'))
    const { id } = await sessionModel(database.db.sequelize).create({
      id: newId(),
      businessId,
      chain: name,
      token: 'USDC',
      family: 'evm',
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
      addWatch(tx, { family: 'evm', address, businessId, purpose: 'session', subjectId: id, finality }),
    )
    for (const { symbol, amount } of payments) {
      const asset = assetsOf(chain).find((each) => each.symbol === symbol)
      if (!asset) throw new Error(`${name} has no ${symbol}`)
      const txId = await pay(address, asset.contract, amount)
      await detected(id, address, { ...asset, amount, txId })
    }
    await settle(id)
    return { address, sessionId: id }
  }

  async function pay(address: string, contract: string | null, amount: bigint): Promise<Hex> {
    const to = address as Address
    const txId = await (contract === null
      ? faucet.sendTransaction({ to, value: amount, gas: 100_000n })
      : faucet.sendTransaction({
          to: contract as Address,
          data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
          gas: 120_000n,
        }))
    await by.mine()
    return txId
  }

  /** As the indexer stores it, confirmed. */
  async function detected(
    sessionId: string,
    address: string,
    of: { symbol: string; contract: string | null; amount: bigint; txId: string },
  ) {
    const transfer = newId()
    await database.db.query(
      `insert into transfers (id, chain, block_height, block_id, block_time, tx_id, movement_key, contract, token, from_address, to_address, amount)
       values ($1::uuid, $8, $2, $1::uuid::text, now(), $3, 'log:0', $4, $5, '0x00000000000000000000000000000000000000aa', $6, $7)`,
      [transfer, ++height, of.txId, of.contract, of.symbol, address, of.amount.toString(), name],
    )
    await database.db.query(
      `insert into detections (id, transfer_id, watch_id, business_id, subject_id, chain, block_height, depth, status, confirmed_at, needs_agreement, direction)
       select $1, $2, id, business_id, subject_id, $5, $3, 1, 'confirmed', now(), false, 'in' from watches where subject_id = $4`,
      [newId(), transfer, height, sessionId, name],
    )
  }
  const settle = (sessionId: string) =>
    settleSession({ ...settling, db: worker, chains: [chain] }, { sessionId, outboxId: '0' })

  async function enable(token: string, threshold = 0n): Promise<void> {
    await database.db.query(
      `insert into sweep_settings (business_id, chain, token, enabled, threshold) values ($1, $2, $3, true, $4)
       on conflict (business_id, chain, token) do update set enabled = true, threshold = excluded.threshold, updated_at = now()`,
      [businessId, name, token, threshold.toString()],
    )
  }

  const due = (address: string) =>
    database.db.query('update sweep_sources set next_at = now() where address = $1', [address])
  const force = (address: string) =>
    database.db.query('update sweep_sources set next_at = now(), forced = true where address = $1', [address])

  /** The worker does what is due now. */
  async function work(): Promise<number> {
    await worker.query('update sweeps set next_at = now() where next_at > now()')
    const due = await dueSweeps(worker)
    for (const each of due) {
      const read = readDue(each)
      await ('sweepId' in read ? stepSweep(sweeps, read.sweepId) : planSource(sweeps, read))
    }
    return due.length
  }
  const authorize = () => authorizePending({ db: treasury, log, keys, chains: [chain] })
  const sign = (without: readonly Check[] = []) => signPending({ ...signing, without })
  async function reconcile(): Promise<void> {
    await database.db.query(
      "update intents set next_reconcile_at = now() - interval '1 s' where next_reconcile_at is not null",
    )
    for (const { id } of await readIntents(worker, 'next_reconcile_at is not null order by id', []))
      await reconcileIntent(manager, id)
  }
  /** Worker, treasury and chain, until nothing more happens. */
  async function run(rounds = 40): Promise<void> {
    for (let i = 0; i < rounds; i++) {
      await work()
      await authorize()
      await reconcile()
      await sign()
      await reconcile()
      await by.mine(1)
      await reconcile()
      const [open] = await worker.query<{ open: number }>(
        `select ((select count(*) from sweeps where status not in ('done', 'failed', 'waiting'))
           + (select count(*) from sweep_sources c where next_at <= now() and (forced or exists (
               select 1 from sweep_settings s where s.business_id = c.business_id and s.chain = c.chain and s.enabled))))::int as open`,
      )
      if (open?.open === 0) return
    }
    const left = await readSweeps(worker, "status not in ('done', 'failed')", [])
    throw new Error(
      `the sweeps do not end: ${left.map(({ symbol, status, reason }) => `${symbol} ${status} ${reason}`).join(', ')}`,
    )
  }

  const read = async (to: string, data: Hex) =>
    BigInt((await by.call('eth_call', { to, data }, 'latest')) as Hex)
  return {
    name,
    database,
    db: database.db,
    worker,
    treasury,
    businessId,
    devnet,
    node: by,
    chain,
    hooks,
    keys,
    treasuryAddress,
    sweeps,
    signing,
    seen,
    manager,
    faucet,
    deposit,
    pay,
    detected,
    settle,
    enable,
    due,
    force,
    work,
    authorize,
    sign,
    reconcile,
    run,
    rows: () => readSweeps(database.db, 'true order by id', []),
    intents: () => readIntents(database.db, 'business_id is null order by id', []),
    native: async (address: string) => BigInt((await by.call('eth_getBalance', address, 'latest')) as Hex),
    tokens: (contract: string, address: string) =>
      read(
        contract,
        encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address as Address] }),
      ),
    setNative: (address: string, wei: bigint) => by.call('anvil_setBalance', address, numberToHex(wei)),
    books: (account: `deposits:${string}` | `treasury:${string}` | 'network_costs', symbol: string) =>
      balanceOf(database.db, { name: account, businessId: null, asset: tokenAsset(name, symbol) }),
    async close() {
      await Promise.all([worker.close(), treasury.close(), by.ctx.providers.close()])
      await devnet.stop()
      await database.drop()
    },
  }
}
