import { approvalMessage } from '../../../src/approvals/proof.ts'
import { intentPurposes } from '../../../src/capabilities.ts'
import type { Token, TransferSpec } from '../../../src/chains/action.ts'
import { type ConfiguredChain, knownChain } from '../../../src/chains/registry.ts'
import type { Terms } from '../../../src/chains/sending.ts'
import { transferBuilder } from '../../../src/chains/transferBuilders.ts'
import { envKeyProvider } from '../../../src/custody/keyProvider.ts'
import type { PlatformKeys } from '../../../src/custody/platformAddresses.ts'
import { openPlatformKeys } from '../../../src/custody/platformKeys.ts'
import { createProver, type Prover } from '../../../src/custody/proof.ts'
import { openSeed } from '../../../src/custody/seed.ts'
import type { Outflow } from '../../../src/outflows/outflow.ts'
import { readSettings } from '../../../src/platform/config.ts'
import { type Db, openDb } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/ids.ts'
import { Secret } from '../../../src/platform/secrets.ts'
import { createLog } from '../../../src/platform/telemetry/log.ts'
import { insertRequest } from '../../../src/txmgr/attempts.ts'
import { claimNonce } from '../../../src/txmgr/claimNonce.ts'
import { type IntentPurpose, insertIntent, type NewIntent, readIntents } from '../../../src/txmgr/intents.ts'
import type { Check } from '../../../src/txmgr/signingPolicy.ts'
import { type SigningContext, signPending } from '../../../src/txmgr/signPending.ts'
import { platformSigners } from '../../../treasury/platformSigners.ts'
import { addPerson } from '../../support/dashboardSession.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { addressOf, intentOf, keyOf } from '../../support/evmIntents.ts'
import { proofs, provers } from '../../support/intentKeys.ts'
import { insertBusiness, insertMember } from '../../support/madeBusiness.ts'
import { makeDestination, type WantedDestination } from '../../support/madeDestination.ts'
import { makeSource } from '../../support/madeSource.ts'
import { owe, storedOutflow, type WantedOutflow } from '../../support/paying.ts'
import { seedKey, urlAs } from '../../support/template.ts'

/**
 * A database with the treasury that signs for it, honest outflows, and a worker that stores what it likes.
 */

export const usdc: Token = {
  contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  symbol: 'USDC',
  decimals: 6,
}
export const usdt: Token = {
  contract: '0xdac17f958d2ee523a2206206994597c13d831ec7',
  symbol: 'USDT',
  decimals: 6,
}
const terms: Terms = {
  gas: '90000',
  maxFeePerGas: '1000000000',
  maxPriorityFeePerGas: '1000000000',
  l1Fee: '0',
}
export const [thief, customer, partner] = [
  addressOf(keyOf(6666)),
  addressOf(keyOf(7777)),
  addressOf(keyOf(8888)),
]
export const forger = createProver(new Secret(Buffer.alloc(32, 99).toString('base64')))
export const [business, other] = [newId(), newId()]

let database: TestDatabase
let worker: Db
let treasuryDb: Db
let ctx: SigningContext
let keys: PlatformKeys
let treasury: string
let chain: ConfiguredChain
/** A writer that stores any purpose and signer. */
let careless: { purposes: IntentPurpose[] }

/** Opens all of it; `close` ends it. */
export async function openForging() {
  database = await createTestDatabase()
  for (const id of [business, other]) await insertBusiness(database.db, id, 'one')
  ;[worker, treasuryDb] = [
    openDb(urlAs('worker', database.url), 2),
    openDb(urlAs('treasury', database.url), 2),
  ]
  keys = openPlatformKeys(
    await openSeed({ db: database.db, keyProvider: envKeyProvider(new Secret(seedKey)) }),
  )
  treasury = keys.treasury('evm')
  chain = knownChain('ethereum') as ConfiguredChain
  const builder = await transferBuilder(chain)
  ctx = {
    db: treasuryDb,
    log: createLog('test', 'silent'),
    environment: 'test',
    proofs,
    signing: async () => ({ chain, builder }),
    signers: platformSigners(keys),
    addresses: keys,
    purposes: intentPurposes,
    settings: (settings) =>
      readSettings('treasury', settings, { YELLOWCARD_TOP_UP: `ethereum:USDC:${partner}` }),
    signed: () => {},
  }
  careless = {
    purposes: intentPurposes.map((each) => ({
      ...each,
      signers: ['wallet', 'deposit', 'treasury'] as const,
    })),
  }
  for (const businessId of [business, other])
    for (const token of ['USDC', 'USDT']) await owe(of(businessId), token, 1_000_000n)
  const close = async () => {
    await Promise.all([worker, treasuryDb].map((each) => each.close()))
    await database.drop()
  }
  return { database, treasuryDb, ctx, keys, chain, close }
}

const of = (businessId = business) => ({ db: database.db, businessId, chain })
let wallets = 9000
/** A wallet that no other case uses. */
export const newWallet = () => addressOf(keyOf(wallets++))

/** SQL, as the owner of the database. */
export const sql: Db['query'] = (text, values) => database.db.query(text, values)
export const inTransaction: Db['tx'] = (work) => database.db.tx(work)
export const savedFor = (businessId: string, wanted: WantedDestination) =>
  makeDestination(database.db, businessId, wanted)

/** 500 units for a wallet that no other case uses. */
export const honest = (wanted: Partial<WantedOutflow> = {}, businessId = business): Promise<Outflow> =>
  storedOutflow(of(businessId), { token: 'USDC', amount: 500n, address: newWallet(), ...wanted })
export const refund = () => honest({ kind: 'refund' })
/** Of money in suspense. */
export async function goesBack(): Promise<Outflow> {
  const { paymentId } = await makeSource(database.db, {
    businessId: null,
    chain: 'ethereum',
    token: 'USDC',
    amount: 500n,
  })
  return honest({ kind: 'suspense', businessId: null, paymentId })
}
export const unapproved = () => honest({ needsApproval: true })

/** Two owners, one of whom has approved it. */
export async function approve({ id: subjectId, businessId }: Outflow, prover: Prover): Promise<void> {
  const [askedByAccount, decidedBy] = [
    await addPerson({ db: database.db }),
    await addPerson({ db: database.db }),
  ].map((person) => person.id)
  if (businessId === null || !askedByAccount || !decidedBy) throw new Error('it has no business or no owners')
  for (const account of [askedByAccount, decidedBy]) await insertMember(database.db, businessId, account)
  const approval = {
    id: newId(),
    businessId,
    subject: 'payout',
    subjectId,
    askedByAccount,
    askedByKey: null,
    decidedBy,
    decidedAt: new Date(),
  } as const
  await database.db.query(
    `insert into approvals (id, business_id, subject, subject_id, asked_by_account, expires_at, decision, decided_by, decided_at, proof)
     values ($1, $2, 'payout', $3, $4, now() + interval '1 hour', 'approved', $5, $6, $7)`,
    [
      approval.id,
      businessId,
      subjectId,
      askedByAccount,
      decidedBy,
      approval.decidedAt,
      prover.prove(approvalMessage(approval)),
    ],
  )
}

/** The transfer that an outflow requests. */
export const paying = ({ wallet }: Outflow, change: Partial<TransferSpec> = {}): NewIntent => {
  const action = intentOf({
    from: treasury,
    to: wallet?.address ?? '',
    token: usdc,
    amount: wallet?.amount ?? 0n,
    ...change,
  })
  const { symbol, decimals } = action.token ?? chain.native
  return {
    businessId: null,
    purpose: 'payout',
    chain: 'ethereum',
    signer: 'treasury',
    walletId: null,
    action,
    symbol,
    decimals,
  }
}

/** As the worker stores it, which may write any column of its rows. */
export async function stored(
  wanted: NewIntent,
  { id }: Pick<Outflow, 'id'>,
  prover: Prover | null = provers.worker,
): Promise<string> {
  const row = await worker.tx(async (tx) => {
    const intent = await insertIntent(careless, tx, wanted, 1000, prover)
    await tx.query(
      "update outflows set intent_id = $2, status = 'processing' where id = $1 and status <> 'completed'",
      [id, intent.id],
    )
    return intent
  })
  await request(row.id)
  return row.id
}

export async function request(id: string, from = 0n): Promise<void> {
  const [row] = await readIntents(worker, 'id = $1', [id])
  if (!row) throw new Error('no such intent')
  await worker.tx(async (tx) => {
    const nonce = await claimNonce(tx, { chain: row.chain, address: row.action.from, intentId: id }, from)
    await insertRequest(tx, row, { nonce, terms }, provers.worker)
  })
}

export const signatures = async (id: string) =>
  (await database.db.query('select 1 from treasury_signatures where intent_id = $1', [id])).length
export async function isSigned(id: string, without: readonly Check[] = []): Promise<boolean> {
  await signPending({ ...ctx, without })
  return (await signatures(id)) > 0
}
