import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { intentPurposes } from '../../src/capabilities.ts'
import type { Action, CallsSpec, Token, TransferSpec } from '../../src/chains/action.ts'
import { transferWithAuthorizationCall } from '../../src/chains/evm/send/authorization.ts'
import { evmSweepActions } from '../../src/chains/evm/send/sweepActions.ts'
import { type Chain, type ConfiguredChain, knownChain } from '../../src/chains/registry.ts'
import type { Terms } from '../../src/chains/sending.ts'
import { transferBuilder } from '../../src/chains/transferBuilders.ts'
import { envKeyProvider } from '../../src/custody/keyProvider.ts'
import type { PlatformKeys } from '../../src/custody/platformAddresses.ts'
import { openPlatformKeys } from '../../src/custody/platformKeys.ts'
import { createProver, type Prover } from '../../src/custody/proof.ts'
import { openSeed } from '../../src/custody/seed.ts'
import { type Db, openDb } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { newestAuthorization } from '../../src/sweeps/authorizations.ts'
import { authorizePending } from '../../src/sweeps/authorizePending.ts'
import { gasSigned } from '../../src/sweeps/gasPurpose.ts'
import { insertRequest } from '../../src/txmgr/attempts.ts'
import { claimNonce } from '../../src/txmgr/claimNonce.ts'
import { type IntentPurpose, insertIntent, type NewIntent, readIntents } from '../../src/txmgr/intents.ts'
import type { Check } from '../../src/txmgr/signingPolicy.ts'
import { type SigningContext, signPending } from '../../src/txmgr/signPending.ts'
import { platformSigners } from '../../treasury/platformSigners.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addressOf, intentOf, keyOf } from '../support/evmIntents.ts'
import { proofs, provers } from '../support/intentKeys.ts'
import { insertBusiness } from '../support/madeBusiness.ts'
import { seedKey, urlAs } from '../support/template.ts'

/**
 * The treasury signs no sweep and no gas but what the platform's own addresses need, even with the worker's
 * proof: a thief who has the worker's key moves money between these addresses at most.
 */

const usdc: Token = { contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', symbol: 'USDC', decimals: 6 }
const usdt: Token = { contract: '0xdac17f958d2ee523a2206206994597c13d831ec7', symbol: 'USDT', decimals: 6 }
const terms: Terms = {
  gas: '90000',
  maxFeePerGas: '1000000000',
  maxPriorityFeePerGas: '1000000000',
  l1Fee: '0',
}
const thief = addressOf(keyOf(6666))
const forger = createProver(new Secret(Buffer.alloc(32, 99).toString('base64')))
const business = newId()
const wei = 10n ** 15n

let database: TestDatabase
let worker: Db
let treasuryDb: Db
let ctx: SigningContext
let keys: PlatformKeys
let treasury: string
let chain: Chain
/** A writer that stores any purpose and signer. */
let careless: { purposes: IntentPurpose[] }
const addresses: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  await insertBusiness(database.db, business, 'one')
  ;[worker, treasuryDb] = [
    openDb(urlAs('worker', database.url), 2),
    openDb(urlAs('treasury', database.url), 2),
  ]
  keys = openPlatformKeys(
    await openSeed({ db: database.db, keyProvider: envKeyProvider(new Secret(seedKey)) }),
  )
  treasury = keys.treasury('evm')
  const ethereum = knownChain('ethereum')
  if (!ethereum) throw new Error('ethereum is not a known chain')
  chain = ethereum
  const builder = await transferBuilder(ethereum)
  ctx = {
    db: treasuryDb,
    log: createLog('test', 'silent'),
    environment: 'test',
    proofs,
    signing: async () => ({ chain: ethereum, builder }),
    signers: platformSigners(keys),
    addresses: keys,
    purposes: intentPurposes,
    signed: () => {},
  }
  careless = {
    purposes: intentPurposes.map((each) => ({
      ...each,
      signers: ['wallet', 'deposit', 'treasury'] as const,
    })),
  }
  const rows = await database.db.query<{ address: string }>(
    "select address from deposit_addresses where family = 'evm' order by index",
  )
  addresses.push(...rows.map(({ address }) => address))
})
afterAll(async () => {
  await Promise.all([worker, treasuryDb].map((each) => each?.close()))
  await database?.drop()
})

interface Case {
  address: string
  sweepId: string
}

/** An address that no other case uses, with a sweep of 500 units as the worker plans it. */
async function planned(token: Token | null, status: string, amount = 500n): Promise<Case> {
  const [address = '', sweepId] = [addresses.shift(), newId()]
  await worker.query(
    "insert into sweep_sources (chain, address, family, business_id) values ('ethereum', $1, 'evm', $2)",
    [address, business],
  )
  await worker.query(
    `insert into sweeps (id, chain, address, token, contract, decimals, amount, payer, status) values ($1, 'ethereum', $2, $3, $4, $5, $6, $7, $8)`,
    [
      sweepId,
      address,
      token?.symbol ?? 'ETH',
      token?.contract ?? null,
      token?.decimals ?? 18,
      amount.toString(),
      token === usdc ? 'treasury' : 'deposit',
      status,
    ],
  )
  return { address, sweepId }
}

async function stored(
  wanted: NewIntent,
  { sweepId }: Case,
  prover: Prover | null = provers.worker,
): Promise<string> {
  const row = await worker.tx(async (tx) => {
    const intent = await insertIntent(careless, tx, wanted, 1000, prover)
    await tx.query('insert into sweep_intents (intent_id, sweep_id) values ($1, $2)', [intent.id, sweepId])
    if (wanted.purpose === 'gas')
      await tx.query('update sweeps set gas_intent_id = $2 where id = $1', [sweepId, intent.id])
    return intent
  })
  await request(row.id)
  return row.id
}

async function request(id: string, from = 0n): Promise<void> {
  const [row] = await readIntents(worker, 'id = $1', [id])
  if (!row) throw new Error('no such intent')
  await worker.tx(async (tx) => {
    const nonce = await claimNonce(tx, { chain: row.chain, address: row.action.from, intentId: id }, from)
    await insertRequest(tx, row, { nonce, terms }, provers.worker)
  })
}

const signatures = async (id: string) =>
  (await database.db.query('select 1 from treasury_signatures where intent_id = $1', [id])).length
async function isSigned(id: string, without: readonly Check[] = []): Promise<boolean> {
  await signPending({ ...ctx, without })
  return (await signatures(id)) > 0
}

const platform = { businessId: null, chain: 'ethereum', walletId: null } as const
const shown = (action: Action) =>
  action.kind === 'calls'
    ? { symbol: null, decimals: null }
    : { symbol: action.token?.symbol ?? 'ETH', decimals: action.token?.decimals ?? 18 }
const sweepOf = (action: Action, signer: 'deposit' | 'treasury'): NewIntent => ({
  ...platform,
  purpose: 'sweep',
  signer,
  action,
  ...shown(action),
})
const gasOf = (action: Action): NewIntent => ({
  ...platform,
  purpose: 'gas',
  signer: 'treasury',
  action,
  ...shown(action),
})

/** What the worker stores in good faith, from the address itself. */
const direct = (address: string, change: Partial<TransferSpec> = {}): TransferSpec =>
  intentOf({ from: address, to: treasury, token: usdt, amount: 500n, ...change })
const funding = (address: string, change: Partial<TransferSpec> = {}): TransferSpec =>
  intentOf({ from: treasury, to: address, amount: wei, ...change })

/** By an authorization that the treasury has signed. */
async function authorized(address: string, amount = 500n): Promise<CallsSpec> {
  await authorizePending({ db: treasuryDb, log: ctx.log, keys, chains: [chain] })
  const authorization = await newestAuthorization(treasuryDb, {
    chain: 'ethereum',
    address,
    token: usdc,
    amount,
  })
  const action = evmSweepActions(chain as ConfiguredChain).action(
    [{ address, token: usdc, amount, authorization }],
    treasury,
    {
      gasPrice: null,
      gasLimit: null,
    },
  )
  if (action.kind !== 'calls') throw new Error('not a call')
  return action
}

const ready = () => planned(usdc, 'authorizing')
const direct_ = () => planned(usdt, 'sending')
const waitsForGas = () => planned(usdt, 'funding')

describe('in good faith', () => {
  test('a sweep from its address, one by authorization, one of the native coin, and gas for one are signed', async () => {
    const [one, two, three, four] = [
      await direct_(),
      await ready(),
      await waitsForGas(),
      await planned(null, 'sending'),
    ]
    const ids = [
      await stored(sweepOf(direct(one.address), 'deposit'), one),
      await stored(sweepOf(await authorized(two.address), 'treasury'), two),
      await stored(gasOf(funding(three.address)), three),
      await stored(
        sweepOf(direct(four.address, { token: null, gasPrice: 7n, gasLimit: 21_000n }), 'deposit'),
        four,
      ),
    ]
    for (const id of ids) expect(await isSigned(id)).toBe(true)
  })
})

interface Forgery {
  what: string
  make: () => Promise<Case>
  forge: (of: Case) => Promise<NewIntent>
  /** Each stops it alone; with all of them off it is signed. */
  checks: Check[]
  why: RegExp
  prepare?: (of: Case) => Promise<unknown>
}

const forgedCall = async (address: string, change: (data: CallsSpec) => CallsSpec) =>
  sweepOf(change(await authorized(address)), 'treasury')
const withData = (action: CallsSpec, data: string): CallsSpec => ({
  ...action,
  calls: action.calls.map((call) => ({ ...call, data })),
})

const forgeries: Forgery[] = [
  {
    what: 'a sweep to another destination',
    make: direct_,
    forge: async ({ address }) => sweepOf(direct(address, { to: thief }), 'deposit'),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'a sweep of another amount',
    make: direct_,
    forge: async ({ address }) => sweepOf(direct(address, { amount: 501n }), 'deposit'),
    checks: ['policy'],
    why: /not what its sweeps move/,
  },
  {
    what: 'a sweep of another token than planned',
    make: direct_,
    forge: async ({ address }) => sweepOf(direct(address, { token: usdc }), 'deposit'),
    checks: ['policy'],
    why: /not what its sweeps move/,
  },
  {
    what: 'a sweep of a token under another name',
    make: direct_,
    forge: async ({ address }) => sweepOf(direct(address, { token: { ...usdt, symbol: 'USDC' } }), 'deposit'),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'a sweep for a business',
    make: direct_,
    forge: async ({ address }) => ({ ...sweepOf(direct(address), 'deposit'), businessId: business }),
    checks: ['policy', 'signer'],
    why: /for no business/,
  },
  {
    what: 'a transfer of a business by the key of a deposit address',
    make: direct_,
    forge: async ({ address }) => ({
      ...sweepOf(direct(address, { to: thief }), 'deposit'),
      purpose: 'transfer',
      businessId: business,
    }),
    checks: ['purpose', 'signer', 'intent proof'],
    why: /does not sign a transfer of signer deposit/,
  },
  {
    what: 'a sweep of an address that belongs to no sweep of the row',
    make: direct_,
    forge: async () => sweepOf(direct(addresses.pop() ?? ''), 'deposit'),
    checks: ['policy'],
    why: /not what its sweeps move/,
  },
  {
    what: 'a sweep at a price of its own',
    make: direct_,
    forge: async ({ address }) => sweepOf(direct(address, { gasPrice: 10n ** 12n }), 'deposit'),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: "a sweep of the treasury's own money",
    make: direct_,
    forge: async () => sweepOf(direct(treasury, { to: thief }), 'treasury'),
    checks: ['policy', 'action'],
    why: /not a deposit address/,
  },
  {
    what: 'an authorized sweep whose calldata pays another',
    make: ready,
    forge: ({ address }) =>
      forgedCall(address, (action) => {
        const of = {
          nonce: Buffer.alloc(32, 1),
          validBefore: new Date(Date.now() + 3_600_000),
          signature: Buffer.alloc(65, 27),
        }
        return withData(action, transferWithAuthorizationCall({ from: address, to: thief, amount: 500n }, of))
      }),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'an authorized sweep with the calldata of another address',
    make: ready,
    forge: async ({ address }) => {
      const other = await authorized((await ready()).address)
      return forgedCall(address, (action) => withData(action, other.calls[0]?.data ?? ''))
    },
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'an authorized sweep whose authorization is not in the treasury’s own table',
    make: ready,
    prepare: ({ address }) =>
      database.db.query('delete from sweep_authorizations where from_address = $1', [address]),
    forge: ({ address }) => forgedCall(address, (action) => action),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'an authorized sweep that calls another contract',
    make: ready,
    forge: ({ address }) =>
      forgedCall(address, (action) => ({
        ...action,
        calls: action.calls.map((call) => ({ ...call, to: thief })),
      })),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'an authorized sweep that sends native coin along',
    make: ready,
    forge: ({ address }) =>
      forgedCall(address, (action) => ({
        ...action,
        calls: action.calls.map((call) => ({ ...call, value: 5n })),
      })),
    checks: ['flows', 'action'],
    why: /send more of the native coin/,
  },
  {
    what: 'gas to another address',
    make: waitsForGas,
    forge: async () => gasOf(funding(thief)),
    checks: ['policy'],
    why: /not a deposit address/,
  },
  {
    what: 'gas to a deposit address without a sweep',
    make: waitsForGas,
    forge: async () => gasOf(funding(addresses.pop() ?? '')),
    checks: ['policy'],
    why: /no sweep of the address waits for gas/,
  },
  {
    what: 'gas to an address whose sweep needs no gas',
    make: direct_,
    forge: async ({ address }) => gasOf(funding(address)),
    checks: ['policy'],
    why: /no sweep of the address waits for gas/,
  },
  {
    what: 'more gas than one fee may be',
    make: waitsForGas,
    forge: async ({ address }) => gasOf(funding(address, { amount: 5n * 10n ** 16n + 1n })),
    checks: ['policy'],
    why: /more than one fee/,
  },
  {
    what: 'gas in a token',
    make: waitsForGas,
    forge: async ({ address }) => gasOf(funding(address, { token: usdc, amount: 5n })),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'gas from a deposit address',
    make: waitsForGas,
    forge: async ({ address }) => gasOf(funding(address, { from: addresses.pop() ?? '' })),
    checks: ['signer', 'action'],
    why: /not from the treasury/,
  },
  {
    what: 'gas for a business',
    make: waitsForGas,
    forge: async ({ address }) => ({ ...gasOf(funding(address)), businessId: business }),
    checks: ['policy', 'signer'],
    why: /for no business/,
  },
  {
    what: 'a sweep under the purpose of gas',
    make: direct_,
    forge: async ({ address }) => ({ ...sweepOf(direct(address), 'deposit'), purpose: 'gas' }),
    checks: ['purpose', 'policy', 'action'],
    why: /does not sign a gas of signer deposit/,
  },
]

describe('with a valid proof of the worker', () => {
  test.each(forgeries)(
    '$what is refused; with its checks off it is signed',
    async ({ make, forge, checks, why, prepare }) => {
      const forged = async () => {
        const of = await make()
        const wanted = await forge(of)
        await prepare?.(of)
        return stored(wanted, of)
      }
      const id = await forged()
      expect(await isSigned(id)).toBe(false)
      const [row] = await readIntents(database.db, 'id = $1', [id])
      expect(row).toMatchObject({ status: 'failed', reason: 'policy', message: expect.stringMatching(why) })
      for (const check of checks) {
        const others = checks.filter((each) => each !== check)
        if (others.length > 0) expect([check, await isSigned(await forged(), others)]).toEqual([check, false])
      }
      expect(await isSigned(await forged(), checks)).toBe(true)
    },
  )

  test('a second transaction of a sweep at another nonce is not signed; with that check off it is', async () => {
    const forged = async () => {
      const of = await direct_()
      const id = await stored(sweepOf(direct(of.address), 'deposit'), of)
      expect(await isSigned(id)).toBe(true)
      await request(id, 7n)
      return id
    }
    const first = await forged()
    await signPending(ctx)
    expect(await signatures(first)).toBe(1)
    const second = await forged()
    await signPending({ ...ctx, without: ['signed before'] })
    expect(await signatures(second)).toBe(2)
  })

  test("gas beyond the day's budget is refused, even where the worker requests it", async () => {
    const of = await waitsForGas()
    const room = (await gasSigned(database.db, 'ethereum')) + wei - 1n
    const signing = await ctx.signing('ethereum')
    const limited: SigningContext = {
      ...ctx,
      signing: async () => signing && { ...signing, chain: { ...signing.chain, gasBudget: room } },
    }
    const id = await stored(gasOf(funding(of.address)), of)
    await signPending(limited)
    expect(await signatures(id)).toBe(0)
    const again = await waitsForGas()
    const other = await stored(gasOf(funding(again.address)), again)
    await signPending({ ...limited, without: ['policy'] })
    expect(await signatures(other)).toBe(1)
  })

  const keyless: [string, () => Promise<string>][] = [
    ['an address under the index of another', async () => addresses.pop() ?? ''],
    ['the address of a wallet', async () => addressOf(keyOf(4711))],
  ]
  test.each(keyless)(
    '%s is not signed for: the seed has no such key, with every check off',
    async (_what, addressOfCase) => {
      const address = await addressOfCase()
      // Any other index that is free, of the same family.
      await database.db.query("delete from deposit_addresses where family = 'evm' and address = $1", [
        address,
      ])
      await database.db.query(
        "insert into deposit_addresses (family, index, address, path) values ('evm', 900000 + floor(random() * 1000), $1, 'forged')",
        [address],
      )
      const of = await planned(usdt, 'sending')
      const wanted = sweepOf(direct(address), 'deposit')
      const id = await stored(wanted, of)
      expect(await isSigned(id)).toBe(false)
      expect((await readIntents(database.db, 'id = $1', [id]))[0]?.message).toMatch(/not a deposit address/)
      const other = await stored(wanted, of)
      expect(await isSigned(other, ['signer', 'policy', 'action', 'purpose'])).toBe(false)
    },
  )
})

const unproven: [string, Prover | null][] = [
  ["with the api's proof", provers.api],
  ["with a proof by the forger's own key", forger],
  ['without a proof', null],
]
test.each(unproven)('a sweep %s is not signed; with that check off it is', async (_what, prover) => {
  const forged = async () => {
    const of = await direct_()
    return stored(sweepOf(direct(of.address), 'deposit'), of, prover)
  }
  expect(await isSigned(await forged())).toBe(false)
  expect(await isSigned(await forged(), ['intent proof'])).toBe(true)
})

describe('an authorization', () => {
  test('is written by the treasury alone', async () => {
    for (const role of ['api', 'worker', 'indexer'] as const) {
      const db = openDb(urlAs(role, database.url), 1)
      for (const sql of [
        'insert into sweep_authorizations select * from sweep_authorizations',
        'update sweep_authorizations set amount = 1',
      ])
        await expect(db.query(sql)).rejects.toThrow('permission denied')
      await db.close()
    }
    await expect(
      treasuryDb.query('update sweep_authorizations set to_address = $1', [thief]),
    ).rejects.toThrow('permission denied')
  })

  test('is made once, by two treasuries at a time', async () => {
    const cases = [await ready(), await ready(), await ready()]
    await Promise.all(
      Array.from({ length: 2 }, () =>
        authorizePending({ db: treasuryDb, log: ctx.log, keys, chains: [chain] }),
      ),
    )
    for (const { address } of cases)
      expect(
        await database.db.query('select 1 from sweep_authorizations where from_address = $1', [address]),
      ).toHaveLength(1)
  })

  const refused: [string, () => Promise<Case>, string][] = [
    [
      'a token without EIP-3009',
      () => planned(usdt, 'authorizing'),
      "update sweeps set payer = 'treasury' where id = $1",
    ],
    [
      'an address that the seed does not have',
      ready,
      `update deposit_addresses set index = 950000 where address = (select address from sweeps where id = $1)`,
    ],
  ]
  test.each(refused)('of %s is not made', async (_what, make, change) => {
    const { sweepId, address } = await make()
    await database.db.query(change, [sweepId])
    await authorizePending({ db: treasuryDb, log: ctx.log, keys, chains: [chain] })
    expect(
      await database.db.query('select 1 from sweep_authorizations where from_address = $1', [address]),
    ).toEqual([])
  })

  test('whose row was changed to another destination before it was signed is not signed', async () => {
    const { address } = await ready()
    await database.db.query(
      `insert into sweep_authorizations (id, chain, contract, from_address, to_address, amount, nonce, valid_before)
       values ($1, 'ethereum', $2, $3, $4, 500, $5, now() + interval '1 hour')`,
      [newId(), usdc.contract, address, thief, Buffer.alloc(32, 9)],
    )
    await authorizePending({ db: treasuryDb, log: ctx.log, keys, chains: [chain] })
    expect(
      await database.db.query('select signature from sweep_authorizations where from_address = $1', [
        address,
      ]),
    ).toEqual([{ signature: null }])
  })
})
