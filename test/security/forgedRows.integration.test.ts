import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { askApproval } from '../../src/approvals/askApproval.ts'
import { decideApproval } from '../../src/approvals/decideApproval.ts'
import { systemActor } from '../../src/audit/recordAudit.ts'
import { knownChain } from '../../src/chains/registry.ts'
import type { Terms, TransferSpec } from '../../src/chains/sending.ts'
import { transferBuilder } from '../../src/chains/transferBuilders.ts'
import { type Db, openDb, type Tx } from '../../src/platform/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { createLog } from '../../src/platform/log.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { recordTransferEvent } from '../../src/transfers/recordTransferEvent.ts'
import { claimNonce } from '../../src/txmgr/claimNonce.ts'
import { insertIntent, insertRequest, lockIntent } from '../../src/txmgr/intents.ts'
import { createProver, type Prover } from '../../src/txmgr/proof.ts'
import { type Check, type SigningContext, signPending } from '../../src/txmgr/signPending.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { proofs, provers } from '../support/intentKeys.ts'
import { urlAs } from '../support/template.ts'

/**
 * Rows of what leaves that are written by SQL, by the role of a process but without its key: the treasury does not sign them. Keys and sessions
 * that the api's role writes are believed by the api, and so signed for: walletSends has these.
 */

const roles = ['api', 'worker', 'indexer'] as const
type Role = (typeof roles)[number]

const keys = [`0x${'5'.repeat(64)}`, `0x${'6'.repeat(64)}`, `0x${'7'.repeat(64)}`] as const
const addresses = keys.map((key) => privateKeyToAccount(key).address.toLowerCase())
const usdc = { contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', symbol: 'USDC', decimals: 6 }
const thief = `0x${'e'.repeat(40)}`
const terms: Terms = { gas: '65000', maxFeePerGas: '1000000000', maxPriorityFeePerGas: '1000000000', l1Fee: '0' }
const dearer: Terms = { ...terms, maxFeePerGas: '20000000000' }

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
  for (const id of businesses) await db.query("insert into businesses (id, name) values ($1, 'one of two')", [id])
  for (const [i, id] of owners.entries()) {
    await db.query("insert into accounts (id, email, name, password_hash) values ($1, $2, 'one of two', '')", [id, `owner${i}@example.com`])
    await db.query("insert into members (business_id, account_id, role) values ($1, $2, 'owner')", [businesses[0], id])
  }
  await db.query("insert into wallet_keys (id, public_key, provider, wrapped_key, sealed, retired_at) values ($1, '', 'env', '', '', now())", [
    sealedTo,
  ])
  for (const [i, id] of wallets.entries())
    await db.query(
      "insert into wallets (id, business_id, chain, address, public_key, source, key_id, sealed) values ($1, $2, 'ethereum', $3, '', 'private_key', $4, '')",
      [id, i < 2 ? businesses[0] : businesses[1], addresses[i], sealedTo],
    )
  const ethereum = knownChain('ethereum')
  if (!ethereum) throw new Error('no ethereum')
  ctx = {
    db: as.treasury,
    log: createLog('test', 'silent'),
    environment: 'test',
    proofs,
    signing: async () => ({ chain: ethereum, builder: await transferBuilder(ethereum) }),
    openWallet: async (_tx, id) => new Secret(keys[wallets.indexOf(id)] ?? ''),
    onChange: { transfer: recordTransferEvent },
    signed: () => {},
  }
}, 60_000)
afterAll(async () => {
  await Promise.all(Object.values(as ?? {}).map((each) => each.close()))
  await database?.drop()
})

const transfer: TransferSpec = {
  from: addresses[0] ?? '',
  to: '0x00000000000000000000000000000000000000aa',
  token: usdc,
  amount: 5n,
  memo: null,
  gasPrice: null,
  gasLimit: null,
}
const wanted = {
  businessId: businesses[0],
  purpose: 'transfer',
  chain: 'ethereum',
  signer: 'wallet',
  walletId: wallets[0],
  transfer,
  symbol: 'USDC',
  decimals: 6,
} as const

/** As the api stores a transfer that it was asked for. */
const asked = async (): Promise<string> => (await as.api.tx((tx) => insertIntent(tx, wanted, 1000, provers.api))).id

/** The same of one that a second owner has to approve. */
const askedForApproval = async (): Promise<string> => {
  const id = newId()
  await as.api.tx(async (tx) => {
    await insertIntent(tx, { ...wanted, id, needsApproval: true }, 1000, provers.api)
    await askApproval(tx, { businessId: businesses[0], subject: 'transfer', subjectId: id, accountId: owners[0], apiKeyId: null })
  })
  return id
}
/** As the api stores the second owner's decision. */
const approve = async (subjectId: string): Promise<void> => {
  const [row] = await database.db.query<{ id: string }>('select id from approvals where subject_id = $1', [subjectId])
  const nothing = { whyOver: async () => null, approved: async () => {}, refused: async () => {} }
  const decided = { transfer: nothing, limits: nothing, owner: nothing }
  const of = { businessId: businesses[0], id: row?.id ?? '', accountId: owners[1], decision: 'approved' } as const
  await decideApproval({ db: as.api, prover: provers.api, decided }, systemActor('test'), of)
}
const approvedBySql = `decision = 'approved', decided_by = $2, decided_at = now()`

/** As a worker plans what it finds: it cannot tell a forged intent from another. */
const planned = (id: string, by: { prover?: Prover; terms?: Terms; from?: bigint } = {}): Promise<void> =>
  as.worker.tx(async (tx) => {
    const row = await lockIntent(tx, id)
    if (!row) throw new Error('no such row')
    const nonce = await claimNonce(tx, { chain: row.chain, address: row.transfer.from, intentId: id }, by.from ?? 0n)
    await insertRequest(tx, row, { nonce, terms: by.terms ?? terms }, by.prover ?? provers.worker)
  })
const signatures = async (id: string): Promise<number> =>
  (await database.db.query('select 1 from treasury_signatures where intent_id = $1', [id])).length

/** What the case before left unsigned is not asked for any more. */
const forgetOthers = () => database.db.query('update intent_attempts set void_at = now(), failures = 0 where signed_at is null and void_at is null')

interface Kind {
  what: string
  /** Roles that the database lets do it; the treasury's checks are all that is left then. */
  by: Role[]
  /** What holds it back; without these it is signed. Empty: the rights of the role alone do. */
  checks: Check[]
  /** What is there before: genuine. @returns the row */
  before: () => Promise<string>
  /** @returns the row that is to be signed */
  forge: (tx: Tx, id: string) => Promise<string>
  /** What the worker does then, in good faith. */
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
const changed = (what: string, sql: string, values: unknown[] = [], before = asked): Kind => ({
  what,
  by: [],
  checks: ['intent proof'],
  before,
  forge: async (tx, id) => {
    await tx.query(`update intents set ${sql} where id = $1`, [id, ...values])
    return id
  },
  after: (id) => planned(id),
})
const forgedRequest = async (tx: Tx, id: string, { given = [] as string[], proof = null as Buffer | null } = {}): Promise<string> => {
  await tx.query("insert into intent_nonces (chain, address, nonce, intent_id) select 'ethereum', $2, 5000 + count(*), $1 from intent_nonces", [
    id,
    transfer.from,
  ])
  await tx.query(
    `insert into intent_attempts (intent_id, number, chain, nonce, terms, sends, given_up, proof)
     select $1, (select coalesce(max(number) + 1, 0) from intent_attempts where intent_id = $1), 'ethereum', max(nonce), $2, 0, $3, $4
     from intent_nonces where intent_id = $1`,
    [id, JSON.stringify(dearer), given, proof],
  )
  return id
}
const askedAndPlanned = async () => {
  const id = await asked()
  await planned(id)
  return id
}
const signed = async () => {
  const id = await askedAndPlanned()
  await signPending(ctx)
  expect(await signatures(id)).toBe(1)
  return id
}
const txIdsOf = async (tx: Tx, id: string) =>
  (await tx.query<{ txId: string }>('select tx_id as "txId" from intent_attempts where intent_id = $1 and tx_id is not null', [id])).map(
    ({ txId }) => txId,
  )

const kinds: Kind[] = [
  {
    what: 'an intent without a proof',
    by: ['api'],
    checks: ['intent proof'],
    before: asked,
    forge: (tx) => forgedIntent(tx, async () => null),
    after: (each) => planned(each),
  },
  {
    what: 'an intent with the proof of another one',
    by: ['api'],
    checks: ['intent proof'],
    before: asked,
    forge: (tx, id) =>
      forgedIntent(tx, async () => (await database.db.query<{ proof: Buffer }>('select proof from intents where id = $1', [id]))[0]?.proof ?? null),
    after: (each) => planned(each),
  },
  {
    what: "an intent that is proven by a key of the forger's own",
    by: ['api'],
    checks: ['intent proof'],
    before: asked,
    forge: (tx) => forgedIntent(tx, async () => createProver(new Secret(Buffer.alloc(32, 99).toString('base64'))).prove(Buffer.from('any'))),
    after: (each) => planned(each),
  },
  changed('an intent to another recipient', 'to_address = $2', [thief]),
  changed('an intent of another amount', 'amount = 1000000'),
  changed('an intent of another token', "contract = null, symbol = 'ETH', decimals = 18"),
  changed('an intent from another wallet of the business', 'wallet_id = $2, from_address = $3', [wallets[1], addresses[1]]),
  changed("an intent from another business's wallet", 'business_id = $2, wallet_id = $3, from_address = $4', [
    businesses[1],
    wallets[2],
    addresses[2],
  ]),
  changed('an intent at another price', 'gas_price = 1000000000000'),
  changed('an intent of another time', "created_at = created_at - interval '1 day'"),
  changed('an intent that needs an approval, as one that needs none', 'needs_approval = false', [], askedForApproval),
  {
    what: 'an approval that no owner has given',
    by: ['api'],
    checks: ['approval'],
    before: askedForApproval,
    forge: async (tx, id) => {
      await tx.query(`update approvals set ${approvedBySql} where subject_id = $1`, [id, owners[1]])
      return id
    },
    after: (each) => planned(each),
  },
  {
    what: 'an approval with the proof of another one',
    by: ['api'],
    checks: ['approval'],
    before: async () => {
      await approve(await askedForApproval())
      return askedForApproval()
    },
    forge: async (tx, id) => {
      await tx.query(
        `update approvals set ${approvedBySql}, proof = (select proof from approvals where proof is not null limit 1) where subject_id = $1`,
        [id, owners[1]],
      )
      return id
    },
    after: (each) => planned(each),
  },
  { what: 'a request without a proof', by: ['api', 'worker'], checks: ['request proof'], before: asked, forge: (tx, id) => forgedRequest(tx, id) },
  {
    what: 'a request with the proof of another one',
    by: ['api', 'worker'],
    checks: ['request proof'],
    before: async () => {
      await askedAndPlanned()
      return asked()
    },
    forge: async (tx, id) => {
      const [other] = await database.db.query<{ proof: Buffer }>('select proof from intent_attempts where proof is not null limit 1')
      return forgedRequest(tx, id, { proof: other?.proof ?? null })
    },
  },
  {
    what: 'a request with a dearer fee',
    by: [],
    checks: ['request proof'],
    before: askedAndPlanned,
    forge: async (tx, id) => {
      await tx.query('update intent_attempts set terms = $2 where intent_id = $1', [id, JSON.stringify(dearer)])
      return id
    },
  },
  {
    what: 'a request with another nonce',
    by: [],
    checks: ['request proof', 'nonce'],
    before: askedAndPlanned,
    forge: async (tx, id) => {
      await tx.query('update intent_attempts set nonce = 9999 where intent_id = $1', [id])
      return id
    },
  },
  {
    what: 'an intent that was signed, put back to its beginning with nothing left of what was signed',
    by: ['api'],
    checks: ['signed before'],
    before: signed,
    forge: async (tx, id) => {
      await tx.query('delete from intent_attempts where intent_id = $1', [id])
      await tx.query("update intents set status = 'created', tx_id = null where id = $1", [id])
      await tx.query('delete from intent_nonces where intent_id = $1', [id])
      return id
    },
    // The chain has gone on meanwhile.
    after: (each) => planned(each, { from: 7000n }),
  },
  {
    what: 'a second transaction of an intent, in the place of one that is said to be given up',
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
    what: 'an intent that has failed, wanted again',
    by: [],
    checks: [],
    before: async () => {
      const id = await askedAndPlanned()
      await as.worker.query("update intents set status = 'failed', reason = 'simulation_failed', next_reconcile_at = null where id = $1", [id])
      return id
    },
    forge: async (tx, id) => {
      await tx.query("update intents set status = 'created', next_reconcile_at = now() where id = $1", [id])
      return id
    },
  },
  {
    what: "what waits while the operator's pause lasts",
    by: [],
    checks: [],
    before: async () => {
      const id = await askedAndPlanned()
      await database.db.query("insert into sending_pauses (chain, reason) values ('ethereum', 'test') on conflict do nothing")
      return id
    },
    forge: async (tx, id) => {
      await tx.query("delete from sending_pauses where chain = 'ethereum'")
      return id
    },
  },
]

async function forged(kind: Kind, by: Role | 'owner'): Promise<{ id: string; isDenied: boolean; before: number }> {
  await forgetOthers()
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

test('one that a second owner has approved is signed, and not before', async () => {
  const id = await askedForApproval()
  await planned(id)
  await signPending(ctx)
  expect(await signatures(id)).toBe(0)
  await approve(id)
  await planned(id)
  await signPending(ctx)
  expect(await signatures(id)).toBe(1)
})

test('a genuine one is signed, by the roles of the processes alone', async () => {
  const id = await signed()
  expect(await database.db.query('select status from intents where id = $1', [id])).toEqual([{ status: 'signed' }])
})

describe('is not signed, by whichever role it was written', () => {
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
    // Were its rights to fail, the checks would still hold it.
    const { id, before } = await forged(kind, 'owner')
    await signPending(ctx)
    expect((await signatures(id)) - before).toBe(kind.checks.length > 0 ? 0 : 1)
  })
})

describe('is signed where the treasury leaves its check out', () => {
  test.each(kinds.filter(({ checks }) => checks.length > 0))('$what', async (kind) => {
    const { id, before } = await forged(kind, 'owner')
    await signPending({ ...ctx, without: kind.checks })
    expect((await signatures(id)) - before).toBe(1)
  })

  test("and by the worker's own key an intent is not proven, nor a request by the api's", async () => {
    const intentByWorker = (await as.api.tx((tx) => insertIntent(tx, wanted, 1000, provers.worker))).id
    await planned(intentByWorker)
    const requestByApi = await asked()
    await planned(requestByApi, { prover: provers.api })
    await signPending(ctx)
    expect([await signatures(intentByWorker), await signatures(requestByApi)]).toEqual([0, 0])
  })

  test("and a fee beyond the chain's limit is refused, even with both proofs", async () => {
    const id = await asked()
    await planned(id, { terms: { ...terms, maxFeePerGas: '900000000000' } })
    await signPending(ctx)
    expect(await signatures(id)).toBe(0)
    const again = await asked()
    await planned(again, { terms: { ...terms, maxFeePerGas: '900000000000' } })
    await signPending({ ...ctx, without: ['fee'] })
    expect(await signatures(again)).toBe(1)
  })
})
