import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  AuthorityType,
  createCloseAccountInstruction,
  createSetAuthorityInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token'
import { Keypair, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { intentPurposes } from '../../src/capabilities.ts'
import type { Call, CallsSpec } from '../../src/chains/action.ts'
import { knownChain } from '../../src/chains/registry.ts'
import type { Terms } from '../../src/chains/sending.ts'
import { solanaSweepActions } from '../../src/chains/solana/send/sweepActions.ts'
import { transferBuilder } from '../../src/chains/transferBuilders.ts'
import { envKeyProvider } from '../../src/custody/keyProvider.ts'
import { openPlatformKeys } from '../../src/custody/platformKeys.ts'
import { openSeed } from '../../src/custody/seed.ts'
import { type Db, openDb } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { insertRequest } from '../../src/txmgr/attempts.ts'
import { insertIntent, type NewIntent, readIntents } from '../../src/txmgr/intents.ts'
import type { Check } from '../../src/txmgr/signingPolicy.ts'
import { type SigningContext, signPending } from '../../src/txmgr/signPending.ts'
import { platformSigners } from '../../treasury/platformSigners.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { proofs, provers } from '../support/intentKeys.ts'
import { insertBusiness } from '../support/madeBusiness.ts'
import { seedKey, urlAs } from '../support/template.ts'

/**
 * On Solana one transaction of the treasury carries the signatures of several deposit addresses. The treasury
 * signs it only where it would build the same bytes, even with the worker's proof.
 */

const usdc = { contract: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', symbol: 'USDC', decimals: 6 }
const mint = new PublicKey(usdc.contract)
const thief = Keypair.fromSeed(new Uint8Array(32).fill(66)).publicKey
const noPrice = { gasPrice: null, gasLimit: null }
const business = newId()

let database: TestDatabase
let [worker, treasuryDb]: [Db | undefined, Db | undefined] = [undefined, undefined]
let ctx: SigningContext
let treasury: string
const addresses: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  await insertBusiness(database.db, business, 'one')
  ;[worker, treasuryDb] = [
    openDb(urlAs('worker', database.url), 2),
    openDb(urlAs('treasury', database.url), 2),
  ]
  const keys = openPlatformKeys(
    await openSeed({ db: database.db, keyProvider: envKeyProvider(new Secret(seedKey)) }),
  )
  treasury = keys.treasury('solana')
  const chain = knownChain('solana')
  if (!chain) throw new Error('solana is not a known chain')
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
    signed: () => {},
  }
  const rows = await database.db.query<{ address: string }>(
    "select address from deposit_addresses where family = 'solana' order by index",
  )
  addresses.push(...rows.map(({ address }) => address))
})
afterAll(async () => {
  await Promise.all([worker, treasuryDb].map((each) => each?.close()))
  await database?.drop()
})

interface Case {
  /** The first closes its account, the second does not. */
  items: { address: string; sweepId: string; closes: boolean }[]
  action: CallsSpec
}

/**
 * Two addresses that no other case uses, with sweeps of 500 units, and the transaction that the worker stores
 * in good faith.
 */
async function planned(): Promise<Case> {
  if (!worker) throw new Error('no worker')
  const items = [true, false].map((closes) => ({
    address: addresses.shift() ?? '',
    sweepId: newId(),
    closes,
  }))
  for (const { address, sweepId, closes } of items) {
    await worker.query(
      "insert into sweep_sources (chain, address, family, business_id) values ('solana', $1, 'solana', $2)",
      [address, business],
    )
    await worker.query(
      `insert into sweeps (id, chain, address, token, contract, decimals, amount, payer, closes, status)
       values ($1, 'solana', $2, 'USDC', $3, 6, 500, 'treasury', $4, 'sending')`,
      [sweepId, address, usdc.contract, closes],
    )
  }
  const action = solanaSweepActions().action(
    items.map(({ address, closes }) => ({ address, token: usdc, amount: 500n, authorization: null, closes })),
    treasury,
    noPrice,
  )
  if (action.kind !== 'calls') throw new Error('not a call')
  return { items, action }
}

const terms = (signatures: number, blockhash = 7): Terms => ({
  blockhash: new PublicKey(new Uint8Array(32).fill(blockhash)).toBase58(),
  lastValidBlockHeight: '500',
  computeUnits: 300_000,
  microLamports: '2500',
  tokenProgram: null,
  decimals: null,
  opensAccount: false,
  signatures,
  rent: '0',
  fee: '0',
})

/** Stores a sweep with the worker's proof. @param ids the requests: by their blockhash */
async function stored({ items }: Case, action: CallsSpec, change: Partial<NewIntent> = {}): Promise<string> {
  if (!worker) throw new Error('no worker')
  const wanted: NewIntent = {
    businessId: null,
    purpose: 'sweep',
    chain: 'solana',
    signer: 'treasury',
    walletId: null,
    action,
    symbol: null,
    decimals: null,
    ...change,
  }
  const row = await worker.tx(async (tx) => {
    const intent = await insertIntent({ purposes: intentPurposes }, tx, wanted, 1000, provers.worker)
    for (const { sweepId } of items)
      await tx.query('insert into sweep_intents (intent_id, sweep_id) values ($1, $2)', [intent.id, sweepId])
    return intent
  })
  await request(row.id, 1 + action.cosigners.length)
  return row.id
}

async function request(id: string, signatures: number, blockhash = 7): Promise<void> {
  const [row] = await readIntents(database.db, 'id = $1', [id])
  if (!row) throw new Error('no such intent')
  await worker?.tx((tx) =>
    insertRequest(tx, row, { nonce: null, terms: terms(signatures, blockhash) }, provers.worker),
  )
}

const signatures = async (id: string) =>
  (await database.db.query('select 1 from treasury_signatures where intent_id = $1', [id])).length
async function isSigned(id: string, without: readonly Check[] = []): Promise<boolean> {
  await signPending({ ...ctx, without })
  return (await signatures(id)) > 0
}
const messageOf = async (id: string) => (await readIntents(database.db, 'id = $1', [id]))[0]?.message ?? ''

const callOf = ({ programId, data, keys }: TransactionInstruction): Call => ({
  to: programId.toBase58(),
  data: data.toString('base64'),
  value: 0n,
  accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
    address: pubkey.toBase58(),
    signer: isSigner,
    writable: isWritable,
  })),
})
const accountOf = (owner: PublicKey) => getAssociatedTokenAddressSync(mint, owner)
const ownerOf = ({ items }: Case, index = 0) => new PublicKey(items[index]?.address ?? '')
const and = (action: CallsSpec, instruction: TransactionInstruction): CallsSpec => ({
  ...action,
  calls: [...action.calls, callOf(instruction)],
})
/** The account that opens the treasury's, then each item's transfer and closing. */
const replaced = (action: CallsSpec, at: number, instruction: TransactionInstruction): CallsSpec => ({
  ...action,
  calls: action.calls.map((call, index) => (index === at ? callOf(instruction) : call)),
})
const transfer = (owner: PublicKey, to: PublicKey, amount: bigint) =>
  createTransferCheckedInstruction(accountOf(owner), mint, accountOf(to), owner, amount, 6)

interface Forgery {
  what: string
  forge(of: Case): CallsSpec
  change?: Partial<NewIntent>
  checks: Check[]
  why: RegExp
}

const forgeries: Forgery[] = [
  {
    what: 'tokens to another destination',
    forge: (of) => replaced(of.action, 1, transfer(ownerOf(of), thief, 500n)),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'rent to another destination',
    forge: (of) =>
      replaced(of.action, 2, createCloseAccountInstruction(accountOf(ownerOf(of)), thief, ownerOf(of))),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'more than it states',
    forge: (of) => replaced(of.action, 1, transfer(ownerOf(of), new PublicKey(treasury), 501n)),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'and states more than its sweeps',
    forge: ({ action }) => ({ ...action, spends: action.spends.map((flow) => ({ ...flow, amount: 501n })) }),
    checks: ['policy', 'action'],
    why: /not what its sweeps move/,
  },
  {
    what: 'and gives an account away',
    forge: (of) =>
      and(
        of.action,
        createSetAuthorityInstruction(
          accountOf(ownerOf(of, 1)),
          ownerOf(of, 1),
          AuthorityType.AccountOwner,
          thief,
        ),
      ),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: "and the treasury's own coin",
    forge: ({ action }) =>
      and(
        action,
        SystemProgram.transfer({ fromPubkey: new PublicKey(treasury), toPubkey: thief, lamports: 1 }),
      ),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'and closes an account that its sweep leaves open',
    forge: (of) =>
      and(
        of.action,
        createCloseAccountInstruction(accountOf(ownerOf(of, 1)), new PublicKey(treasury), ownerOf(of, 1)),
      ),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'for a business',
    forge: ({ action }) => action,
    change: { businessId: business },
    checks: ['signer', 'policy'],
    why: /sign for no business|not of the platform/,
  },
  {
    what: 'by a deposit address that pays the fee',
    forge: (of) => ({
      ...of.action,
      from: ownerOf(of).toBase58(),
      cosigners: [treasury, ownerOf(of, 1).toBase58()],
    }),
    checks: ['signer', 'action'],
    why: /not from the treasury's address/,
  },
]

describe('a sweep of two addresses in one transaction', () => {
  test('is signed as the worker stores it', async () => {
    const of = await planned()
    expect(await isSigned(await stored(of, of.action))).toBe(true)
  })

  test.each(forgeries)(
    '$what is refused; with that check off it is signed',
    async ({ forge, change, checks, why }) => {
      const [one, other] = [await planned(), await planned()]
      const id = await stored(one, forge(one), change)
      expect(await isSigned(id)).toBe(false)
      expect(await messageOf(id)).toMatch(why)
      expect(await isSigned(await stored(other, forge(other), change), checks)).toBe(true)
    },
  )

  test('with one of an address that no sweep of it names is refused; with that check off it is signed', async () => {
    const forged = async () => {
      const [one, other] = [await planned(), await planned()]
      const all = [...one.items, ...other.items].map(({ address, closes }) => ({
        address,
        token: usdc,
        amount: 500n,
        authorization: null,
        closes,
      }))
      return stored(one, solanaSweepActions().action(all, treasury, noPrice) as CallsSpec)
    }
    const id = await forged()
    expect(await isSigned(id)).toBe(false)
    expect(await messageOf(id)).toMatch(/not what its sweeps move/)
    expect(await isSigned(await forged(), ['policy', 'action'])).toBe(true)
  })

  test('is not signed a second time while the first may be mined; with that check off it is', async () => {
    const of = await planned()
    const id = await stored(of, of.action)
    expect(await isSigned(id)).toBe(true)
    await request(id, 3, 8)
    await signPending(ctx)
    expect(await signatures(id)).toBe(1)
    await request(id, 3, 9)
    await signPending({ ...ctx, without: ['signed before'] })
    expect(await signatures(id)).toBe(2)
  })

  test('with the key of an address that is not of the seed is never signed', async () => {
    const of = await planned()
    const foreign = and(of.action, transfer(thief, new PublicKey(treasury), 1n))
    const id = await stored(of, { ...foreign, cosigners: [...foreign.cosigners, thief.toBase58()] })
    expect(await isSigned(id)).toBe(false)
    expect(await messageOf(id)).toMatch(/not a deposit address of this seed/)
    const again = await planned()
    const other = and(again.action, transfer(thief, new PublicKey(treasury), 1n))
    const unsigned = await stored(again, { ...other, cosigners: [...other.cosigners, thief.toBase58()] })
    expect(await isSigned(unsigned, ['signer', 'policy', 'action', 'purpose'])).toBe(false)
  })
})
