import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { decideApproval } from '../../src/approvals/decideApproval.ts'
import { requestApproval } from '../../src/approvals/requestApproval.ts'
import { systemActor } from '../../src/audit/recordAudit.ts'
import type { TransferSpec } from '../../src/chains/action.ts'
import { knownChain } from '../../src/chains/registry.ts'
import type { Terms } from '../../src/chains/sending.ts'
import { transferBuilder } from '../../src/chains/transferBuilders.ts'
import { createProver, type Prover } from '../../src/custody/proof.ts'
import { type Db, openDb, type Tx } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { insertRequest } from '../../src/txmgr/attempts.ts'
import { claimNonce } from '../../src/txmgr/claimNonce.ts'
import { feesSigned } from '../../src/txmgr/fees/feeLimits.ts'
import { insertIntent, lockIntent } from '../../src/txmgr/intents.ts'
import type { Check } from '../../src/txmgr/signingPolicy.ts'
import { type SigningContext, signPending } from '../../src/txmgr/signPending.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { proofs, provers } from '../support/intentKeys.ts'
import { insertBusiness } from '../support/madeBusiness.ts'
import { transfers, walletsWith } from '../support/purposes.ts'
import { urlAs } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'

/**
 * The treasury does not sign rows of outgoing transfers that were written by SQL with a process's role but
 * without its key. The api trusts keys and sessions written with its own role, and signs for them: see
 * walletSends.
 */

const roles = ['api', 'worker', 'indexer'] as const
type Role = (typeof roles)[number]

const keys = [`0x${'5'.repeat(64)}`, `0x${'6'.repeat(64)}`, `0x${'7'.repeat(64)}`] as const
const addresses = keys.map((key) => privateKeyToAccount(key).address.toLowerCase())
const usdc = { contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', symbol: 'USDC', decimals: 6 }
const thief = `0x${'e'.repeat(40)}`
const terms: Terms = {
  gas: '65000',
  maxFeePerGas: '1000000000',
  maxPriorityFeePerGas: '1000000000',
  l1Fee: '0',
}
const higherFee: Terms = { ...terms, maxFeePerGas: '20000000000' }

let database: TestDatabase
let as: Record<Role | 'treasury', Db>
let ctx: SigningContext
const businesses = [newId(), newId()] as const
/** Two owners of the first business. */
const owners = [newId(), newId()] as const
/** Two of the first business, one of the second. */
const wallets = [newId(), newId(), newId()] as const

beforeAll(async () => {
  database = await createTestDatabase()
  const { db, url } = database
  const open = (role: Role | 'treasury') => openDb(urlAs(role, url), 2)
  as = { api: open('api'), worker: open('worker'), indexer: open('indexer'), treasury: open('treasury') }
  const sealedTo = newId()
  for (const id of businesses) await insertBusiness(db, id, 'one of two')
  for (const [i, id] of owners.entries()) {
    await db.query(
      "insert into accounts (id, email, name, password_hash) values ($1, $2, 'one of two', '')",
      [id, `owner${i}@example.com`],
    )
    await db.query("insert into members (business_id, account_id, role) values ($1, $2, 'owner')", [
      businesses[0],
      id,
    ])
  }
  await db.query(
    "insert into wallet_keys (id, public_key, provider, wrapped_key, sealed, retired_at) values ($1, '', 'env', '', '', now())",
    [sealedTo],
  )
  for (const [i, id] of wallets.entries())
    await db.query(
      "insert into wallets (id, business_id, chain, address, public_key, source, key_id, sealed) values ($1, $2, 'ethereum', $3, '', 'private_key', $4, '')",
      [id, i < 2 ? businesses[0] : businesses[1], addresses[i], sealedTo],
    )
  const ethereum = knownChain('ethereum')
  if (!ethereum) throw new Error('ethereum is not a known chain')
  ctx = {
    db: as.treasury,
    log: createLog('test', 'silent'),
    environment: 'test',
    proofs,
    signing: async () => ({ chain: ethereum, builder: await transferBuilder(ethereum) }),
    signers: walletsWith(async (_tx, id) => new Secret(keys[wallets.indexOf(id)] ?? '')),
    ...transfers,
    signed: () => {},
  }
})
afterAll(async () => {
  await Promise.all(Object.values(as ?? {}).map((each) => each.close()))
  await database?.drop()
})

const transfer: TransferSpec = {
  kind: 'transfer',
  from: addresses[0] ?? '',
  to: '0x00000000000000000000000000000000000000aa',
  token: usdc,
  amount: 5n,
  memo: null,
  gasPrice: null,
  gasLimit: null,
}
const genuineTransfer = {
  businessId: businesses[0],
  purpose: 'transfer',
  chain: 'ethereum',
  signer: 'wallet',
  walletId: wallets[0],
  action: transfer,
  symbol: 'USDC',
  decimals: 6,
} as const

/** Stores a transfer as the api does. */
const storeTransfer = async (): Promise<string> =>
  (await as.api.tx((tx) => insertIntent(transfers, tx, genuineTransfer, 1000, provers.api))).id

/** The same for a transfer that needs a second owner's approval. */
const storeTransferForApproval = async (): Promise<string> => {
  const id = newId()
  await as.api.tx(async (tx) => {
    await insertIntent(transfers, tx, { ...genuineTransfer, id, needsApproval: true }, 1000, provers.api)
    await requestApproval(tx, {
      businessId: businesses[0],
      subject: 'transfer',
      subjectId: id,
      accountId: owners[0],
      apiKeyId: null,
    })
  })
  return id
}
/** Stores the second owner's decision as the api does. */
const approve = async (subjectId: string): Promise<void> => {
  const [row] = await database.db.query<{ id: string }>('select id from approvals where subject_id = $1', [
    subjectId,
  ])
  const nothing = { whyOver: async () => null, approved: async () => {}, refused: async () => {} }
  const decided = { transfer: nothing, limits: nothing, owner: nothing }
  const of = {
    businessId: businesses[0],
    id: row?.id ?? '',
    accountId: owners[1],
    decision: 'approved',
  } as const
  await decideApproval({ db: as.api, prover: provers.api, decided }, systemActor('test'), of)
}
const approvedBySql = `decision = 'approved', decided_by = $2, decided_at = now()`

/** Plans as a worker does, which cannot recognise a forged intent. */
const plan = (id: string, by: { prover?: Prover; terms?: Terms; from?: bigint } = {}): Promise<void> =>
  as.worker.tx(async (tx) => {
    const row = await lockIntent(tx, id)
    if (!row) throw new Error('the transfer was not stored')
    const nonce = await claimNonce(
      tx,
      { chain: row.chain, address: row.action.from, intentId: id },
      by.from ?? 0n,
    )
    await insertRequest(tx, row, { nonce, terms: by.terms ?? terms }, by.prover ?? provers.worker)
  })
const signatures = async (id: string): Promise<number> =>
  (await database.db.query('select 1 from treasury_signatures where intent_id = $1', [id])).length

/** Voids unsigned requests of earlier cases. */
const voidUnsigned = () =>
  database.db.query(
    'update intent_attempts set void_at = now(), failures = 0 where signed_at is null and void_at is null',
  )

interface Kind {
  what: string
  /** Roles that the database allows to do it; then only the treasury's checks protect. */
  by: Role[]
  /** The checks that stop it; without them it is signed. Empty: only the role's rights stop it. */
  checks: Check[]
  /** Creates a genuine row. @returns its id */
  before: () => Promise<string>
  /** @returns the row to be signed */
  forge: (tx: Tx, id: string) => Promise<string>
  /** The worker's next step, in good faith. */
  after?: (id: string) => Promise<void>
}

const forgedIntent = async (tx: Tx, proofOf: (id: string) => Promise<Buffer | null>): Promise<string> => {
  const id = newId()
  await tx.query(
    `insert into intents (id, business_id, purpose, chain, signer, wallet_id, from_address, to_address, symbol, contract, decimals, amount, status, next_reconcile_at, proof)
     values ($1, $2, 'transfer', 'ethereum', 'wallet', $3, $4, $5, 'USDC', $6, 6, 1000000, 'created', now(), $7)`,
    [id, businesses[0], wallets[0], transfer.from, thief, usdc.contract, await proofOf(id)],
  )
  return id
}
const changed = (what: string, sql: string, values: unknown[] = [], before = storeTransfer): Kind => ({
  what,
  by: [],
  checks: ['intent proof'],
  before,
  forge: async (tx, id) => {
    await tx.query(`update intents set ${sql} where id = $1`, [id, ...values])
    return id
  },
  after: (id) => plan(id),
})
const forgedRequest = async (
  tx: Tx,
  id: string,
  { given = [] as string[], proof = null as Buffer | null } = {},
): Promise<string> => {
  await tx.query(
    "insert into intent_nonces (chain, address, nonce, intent_id) select 'ethereum', $2, 5000 + count(*), $1 from intent_nonces",
    [id, transfer.from],
  )
  await tx.query(
    `insert into intent_attempts (intent_id, number, chain, nonce, terms, sends, given_up, proof)
     select $1, (select coalesce(max(number) + 1, 0) from intent_attempts where intent_id = $1), 'ethereum', max(nonce), $2, 0, $3, $4
     from intent_nonces where intent_id = $1`,
    [id, JSON.stringify(higherFee), given, proof],
  )
  return id
}
const storeAndPlan = async () => {
  const id = await storeTransfer()
  await plan(id)
  return id
}
const signed = async () => {
  const id = await storeAndPlan()
  await signPending(ctx)
  expect(await signatures(id)).toBe(1)
  return id
}
const txIdsOf = async (tx: Tx, id: string) =>
  (
    await tx.query<{ txId: string }>(
      'select tx_id as "txId" from intent_attempts where intent_id = $1 and tx_id is not null',
      [id],
    )
  ).map(({ txId }) => txId)

const kinds: Kind[] = [
  {
    what: 'an intent without a proof',
    by: ['api', 'worker'],
    checks: ['intent proof'],
    before: storeTransfer,
    forge: (tx) => forgedIntent(tx, async () => null),
    after: (each) => plan(each),
  },
  {
    what: 'an intent with the proof of another one',
    by: ['api', 'worker'],
    checks: ['intent proof'],
    before: storeTransfer,
    forge: (tx, id) =>
      forgedIntent(
        tx,
        async () =>
          (await database.db.query<{ proof: Buffer }>('select proof from intents where id = $1', [id]))[0]
            ?.proof ?? null,
      ),
    after: (each) => plan(each),
  },
  {
    what: "an intent with a proof by the forger's own key",
    by: ['api', 'worker'],
    checks: ['intent proof'],
    before: storeTransfer,
    forge: (tx) =>
      forgedIntent(tx, async () =>
        createProver(new Secret(Buffer.alloc(32, 99).toString('base64'))).prove(Buffer.from('any')),
      ),
    after: (each) => plan(each),
  },
  changed('an intent to another recipient', 'to_address = $2', [thief]),
  changed('an intent of another amount', 'amount = 1000000'),
  changed('an intent of another token', "contract = null, symbol = 'ETH', decimals = 18"),
  changed('an intent from another wallet of the business', 'wallet_id = $2, from_address = $3', [
    wallets[1],
    addresses[1],
  ]),
  changed("an intent from another business's wallet", 'business_id = $2, wallet_id = $3, from_address = $4', [
    businesses[1],
    wallets[2],
    addresses[2],
  ]),
  changed('an intent at another price', 'gas_price = 1000000000000'),
  changed('an intent of another time', "created_at = created_at - interval '1 day'"),
  changed(
    'an intent that needs an approval, changed to need no approval',
    'needs_approval = false',
    [],
    storeTransferForApproval,
  ),
  {
    what: 'an approval that no owner gave',
    by: ['api'],
    checks: ['approval'],
    before: storeTransferForApproval,
    forge: async (tx, id) => {
      await tx.query(`update approvals set ${approvedBySql} where subject_id = $1`, [id, owners[1]])
      return id
    },
    after: (each) => plan(each),
  },
  {
    what: 'an approval with the proof of another one',
    by: ['api'],
    checks: ['approval'],
    before: async () => {
      await approve(await storeTransferForApproval())
      return storeTransferForApproval()
    },
    forge: async (tx, id) => {
      await tx.query(
        `update approvals set ${approvedBySql}, proof = (select proof from approvals where proof is not null limit 1) where subject_id = $1`,
        [id, owners[1]],
      )
      return id
    },
    after: (each) => plan(each),
  },
  {
    what: 'a request without a proof',
    by: ['api', 'worker'],
    checks: ['request proof'],
    before: storeTransfer,
    forge: (tx, id) => forgedRequest(tx, id),
  },
  {
    what: 'a request with the proof of another one',
    by: ['api', 'worker'],
    checks: ['request proof'],
    before: async () => {
      await storeAndPlan()
      return storeTransfer()
    },
    forge: async (tx, id) => {
      const [other] = await database.db.query<{ proof: Buffer }>(
        'select proof from intent_attempts where proof is not null limit 1',
      )
      return forgedRequest(tx, id, { proof: other?.proof ?? null })
    },
  },
  {
    what: 'a request with a higher fee',
    by: [],
    checks: ['request proof'],
    before: storeAndPlan,
    forge: async (tx, id) => {
      await tx.query('update intent_attempts set terms = $2 where intent_id = $1', [
        id,
        JSON.stringify(higherFee),
      ])
      return id
    },
  },
  {
    what: 'a request with another nonce',
    by: [],
    checks: ['request proof', 'nonce'],
    before: storeAndPlan,
    forge: async (tx, id) => {
      await tx.query('update intent_attempts set nonce = 9999 where intent_id = $1', [id])
      return id
    },
  },
  {
    what: 'a signed transfer, reset with all its transactions removed',
    by: ['api'],
    checks: ['signed before'],
    before: signed,
    forge: async (tx, id) => {
      await tx.query('delete from intent_attempts where intent_id = $1', [id])
      await tx.query("update intents set status = 'created', tx_id = null where id = $1", [id])
      await tx.query('delete from intent_nonces where intent_id = $1', [id])
      return id
    },
    // The chain has moved on meanwhile.
    after: (each) => plan(each, { from: 7000n }),
  },
  {
    what: 'a second transaction of an intent, in place of a transaction declared as given up',
    by: ['api', 'worker'],
    checks: ['request proof'],
    before: signed,
    forge: async (tx, id) => {
      const given = await txIdsOf(tx, id)
      await tx.query('update intent_attempts set void_at = now(), bytes = null where intent_id = $1', [id])
      await tx.query("update intents set status = 'created' where id = $1", [id])
      return forgedRequest(tx, id, { given })
    },
  },
  {
    what: 'a failed transfer, requested again',
    by: [],
    checks: [],
    before: async () => {
      const id = await storeAndPlan()
      await as.worker.query(
        "update intents set status = 'failed', reason = 'simulation_failed', next_reconcile_at = null where id = $1",
        [id],
      )
      return id
    },
    forge: async (tx, id) => {
      await tx.query("update intents set status = 'created', next_reconcile_at = now() where id = $1", [id])
      return id
    },
  },
  {
    what: "an intent during the operator's pause",
    by: [],
    checks: [],
    before: async () => {
      const id = await storeAndPlan()
      await database.db.query(
        "insert into sending_pauses (chain, reason) values ('ethereum', 'test') on conflict do nothing",
      )
      return id
    },
    forge: async (tx, id) => {
      await tx.query("delete from sending_pauses where chain = 'ethereum'")
      return id
    },
  },
  {
    what: 'a fee above that of the settings, with a ceiling that allows it',
    by: [],
    checks: ['fee'],
    before: async () => {
      const id = await storeTransfer()
      await plan(id, { terms: { ...terms, maxFeePerGas: '900000000000' } })
      return id
    },
    forge: async (tx, id) => {
      await tx.query(
        `insert into fee_limits (chain, ceiling) values ('ethereum', 1e30) on conflict (chain) do update set ceiling = 1e30`,
      )
      return id
    },
  },
]

async function forged(
  kind: Kind,
  by: Role | 'owner',
): Promise<{ id: string; isDenied: boolean; before: number }> {
  await voidUnsigned()
  const genuine = await kind.before()
  const db: Pick<Db, 'tx'> = by === 'owner' ? database.db : as[by]
  try {
    const id = await db.tx((tx) => kind.forge(tx, genuine))
    const before = await signatures(id)
    await kind.after?.(id)
    return { id, isDenied: false, before }
  } catch (error) {
    expect(String(error)).toMatch(/permission denied/)
    return { id: genuine, isDenied: true, before: await signatures(genuine) }
  }
}

test("a transfer is signed after a second owner's approval, and not before", async () => {
  const id = await storeTransferForApproval()
  await plan(id)
  await signPending(ctx)
  expect(await signatures(id)).toBe(0)
  await approve(id)
  await plan(id)
  await signPending(ctx)
  expect(await signatures(id)).toBe(1)
})

test('a genuine transfer is signed, with the roles of the processes alone', async () => {
  const id = await signed()
  expect(await database.db.query('select status from intents where id = $1', [id])).toEqual([
    { status: 'signed' },
  ])
})

const feeOfTerms = 65_000n * 10n ** 9n
const setLimits = (limits: { ceiling?: bigint; budget?: bigint }) =>
  database.db.query(
    'insert into fee_limits (chain, ceiling, budget) values ($1, $2, $3) on conflict (chain) do update set ceiling = $2, budget = $3',
    ['ethereum', limits.ceiling?.toString() ?? null, limits.budget?.toString() ?? null],
  )

describe("the operator's limits of fees", () => {
  afterEach(() => database.db.query('delete from fee_limits').then(() => {}))

  /** The treasury with a budget of its settings that has room for this many transfers. */
  async function treasuryWithRoomFor(transfers: bigint): Promise<SigningContext> {
    const feeBudget = (await feesSigned(database.db, 'ethereum')) + transfers * feeOfTerms
    const signing = await ctx.signing('ethereum')
    return { ...ctx, signing: async () => signing && { ...signing, chain: { ...signing.chain, feeBudget } } }
  }
  const signedOf = (ids: readonly string[]) => Promise.all(ids.map(signatures))

  test.each(['api', 'worker', 'indexer', 'treasury'] as const)(
    'are not written by the role of the %s',
    async (role) => {
      await setLimits({ ceiling: 1n })
      for (const sql of [
        "insert into fee_limits (chain, ceiling) values ('base', 1)",
        'update fee_limits set ceiling = 1e30',
        'delete from fee_limits',
        'update treasury_signatures set max_fee = 0',
        'delete from treasury_signatures',
      ])
        await expect(as[role].query(sql)).rejects.toThrow(/permission denied/)
    },
  )

  test('a ceiling that was lowered after the plan holds: the request is given up, the transfer waits, and is signed once it may be', async () => {
    await voidUnsigned()
    const id = await storeAndPlan()
    await setLimits({ ceiling: feeOfTerms - 1n })
    await signPending(ctx)
    expect(await signatures(id)).toBe(0)
    const [row] = await database.db.query(
      'select status, void_at is not null as void, refused from intents i join intent_attempts on intent_id = i.id where i.id = $1',
      [id],
    )
    expect(row).toEqual({
      status: 'created',
      void: true,
      refused: "its fee may be more than the operator's ceiling",
    })
    await setLimits({ ceiling: feeOfTerms })
    await plan(id)
    await signPending(ctx)
    expect(await signatures(id)).toBe(1)
  })

  test("a budget in a row that the database's owner forged does not lift that of the treasury's settings", async () => {
    await voidUnsigned()
    const treasury = await treasuryWithRoomFor(2n)
    await setLimits({ budget: 10n ** 30n })
    const ids = [await storeAndPlan(), await storeAndPlan(), await storeAndPlan()]
    await signPending(treasury)
    expect(await signedOf(ids)).toEqual([1, 1, 0])
    // Without the check it would be.
    await plan(ids[2] ?? '')
    await signPending({ ...treasury, without: ['budget'] })
    expect(await signedOf(ids)).toEqual([1, 1, 1])
  })

  test('a treasury waits for the other one that is about to use the rest of a budget', async () => {
    await voidUnsigned()
    const [first, second] = [await storeAndPlan(), await storeAndPlan()]
    await setLimits({ budget: (await feesSigned(database.db, 'ethereum')) + feeOfTerms })
    let other: Promise<unknown> | undefined
    const signers = walletsWith(async () => {
      // Another treasury, which does not get to the request of this one.
      await database.db.query(
        'update intent_attempts set failures = 1 where intent_id = $1 and signed_at is null',
        [first],
      )
      let isOver = false
      other = signPending(ctx).finally(() => {
        isOver = true
      })
      const waits =
        "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'"
      await waitFor('the other treasury', async () => isOver || (await database.db.query(waits)).length > 0)
      return new Secret(keys[0])
    })
    await signPending({ ...ctx, signers })
    await other
    expect(await signedOf([first, second])).toEqual([1, 0])
  })

  test('a budget of a row is shared by two treasuries, and a higher fee of the same transfer counts once', async () => {
    await voidUnsigned()
    await setLimits({ budget: (await feesSigned(database.db, 'ethereum')) + 3n * feeOfTerms })
    const ids = await Promise.all(Array.from({ length: 6 }, storeAndPlan))
    await Promise.all([signPending(ctx), signPending(ctx)])
    expect((await signedOf(ids)).reduce((sum, each) => sum + each, 0)).toBe(3)
    expect(
      await database.db.query("select 1 from intents where id = any($1) and status = 'failed'", [ids]),
    ).toEqual([])
    const first = ids[(await signedOf(ids)).indexOf(1)] ?? ''
    await setLimits({ budget: (await feesSigned(database.db, 'ethereum')) + feeOfTerms })
    const [own] = await database.db.query<{ nonce: string }>(
      'select nonce from intent_nonces where intent_id = $1',
      [first],
    )
    const twice = { ...terms, maxFeePerGas: '2000000000' }
    await as.worker.tx((tx) =>
      insertRequest(
        tx,
        { id: first, chain: 'ethereum' },
        { nonce: BigInt(own?.nonce ?? 0), terms: twice },
        provers.worker,
      ),
    )
    await signPending(ctx)
    expect(await signatures(first)).toBe(2)
  })
})

describe('is not signed, with any role that wrote it', () => {
  test.each(kinds)('$what', async (kind) => {
    const allowed: Role[] = []
    for (const role of roles) {
      const { id, isDenied, before } = await forged(kind, role)
      if (isDenied) continue
      allowed.push(role)
      await signPending(ctx)
      expect([role, await signatures(id)]).toEqual([role, before])
    }
    expect(allowed).toEqual(kind.by)
    // Even if the role's rights failed, the checks would stop it.
    const { id, before } = await forged(kind, 'owner')
    await signPending(ctx)
    expect((await signatures(id)) - before).toBe(kind.checks.length > 0 ? 0 : 1)
  })
})

describe('is signed if the treasury skips its check', () => {
  test.each(kinds.filter(({ checks }) => checks.length > 0))('$what', async (kind) => {
    const { id, before } = await forged(kind, 'owner')
    await signPending({ ...ctx, without: kind.checks })
    expect((await signatures(id)) - before).toBe(1)
  })

  test("but an intent with the worker's proof, or a request with the api's, is not signed", async () => {
    const intentByWorker = (
      await as.api.tx((tx) => insertIntent(transfers, tx, genuineTransfer, 1000, provers.worker))
    ).id
    await plan(intentByWorker)
    const requestByApi = await storeTransfer()
    await plan(requestByApi, { prover: provers.api })
    await signPending(ctx)
    expect([await signatures(intentByWorker), await signatures(requestByApi)]).toEqual([0, 0])
  })

  test("but a fee above the chain's limit is refused, even with both proofs", async () => {
    const id = await storeTransfer()
    await plan(id, { terms: { ...terms, maxFeePerGas: '900000000000' } })
    await signPending(ctx)
    expect(await signatures(id)).toBe(0)
    const again = await storeTransfer()
    await plan(again, { terms: { ...terms, maxFeePerGas: '900000000000' } })
    await signPending({ ...ctx, without: ['fee'] })
    expect(await signatures(again)).toBe(1)
  })
})
