import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { approvalMessage } from '../../src/approvals/proof.ts'
import { intentPurposes } from '../../src/capabilities.ts'
import type { Token, TransferSpec } from '../../src/chains/action.ts'
import { type ConfiguredChain, knownChain } from '../../src/chains/registry.ts'
import type { Terms } from '../../src/chains/sending.ts'
import { transferBuilder } from '../../src/chains/transferBuilders.ts'
import { envKeyProvider } from '../../src/custody/keyProvider.ts'
import type { PlatformKeys } from '../../src/custody/platformAddresses.ts'
import { openPlatformKeys } from '../../src/custody/platformKeys.ts'
import { createProver, type Prover } from '../../src/custody/proof.ts'
import { openSeed } from '../../src/custody/seed.ts'
import type { Entry } from '../../src/ledger/entry.ts'
import { post } from '../../src/ledger/post.ts'
import { sentToday } from '../../src/payouts/dailyLimit.ts'
import { destinationMessage } from '../../src/payouts/destinationProof.ts'
import { type Outflow, readOutflows } from '../../src/payouts/outflow.ts'
import { givenBack, hasLeft } from '../../src/payouts/outflowEntries.ts'
import { outflowMessage } from '../../src/payouts/outflowProof.ts'
import { payoutPurpose } from '../../src/payouts/payoutPurpose.ts'
import { type Db, openDb, type Tx } from '../../src/platform/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { createLog } from '../../src/platform/log.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { pause } from '../../src/platform/wait.ts'
import { insertRequest } from '../../src/txmgr/attempts.ts'
import { claimNonce } from '../../src/txmgr/claimNonce.ts'
import { type Intent, type IntentPurpose, insertIntent, type NewIntent, readIntents } from '../../src/txmgr/intents.ts'
import type { Check } from '../../src/txmgr/signingPolicy.ts'
import { type SigningContext, signPending } from '../../src/txmgr/signPending.ts'
import { platformSigners } from '../../treasury/platformSigners.ts'
import { addPerson } from '../support/dashboardSession.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addressOf, intentOf, keyOf } from '../support/evmIntents.ts'
import { proofs, provers } from '../support/intentKeys.ts'
import { owe, savedWallet, storedOutflow, type WantedOutflow } from '../support/paying.ts'
import { seedKey, urlAs } from '../support/template.ts'

/**
 * The treasury pays out nothing but what an outflow asks for, even with the worker's proof: a thief who has the worker's key can pay a business's money to
 * wallets that its owner has saved, and never to another.
 */

const usdc: Token = { contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', symbol: 'USDC', decimals: 6 }
const usdt: Token = { contract: '0xdac17f958d2ee523a2206206994597c13d831ec7', symbol: 'USDT', decimals: 6 }
const terms: Terms = { gas: '90000', maxFeePerGas: '1000000000', maxPriorityFeePerGas: '1000000000', l1Fee: '0' }
const [thief, customer] = [addressOf(keyOf(6666)), addressOf(keyOf(7777))]
const forger = createProver(new Secret(Buffer.alloc(32, 99).toString('base64')))
const [business, other] = [newId(), newId()]

let database: TestDatabase
let worker: Db
let treasuryDb: Db
let ctx: SigningContext
let keys: PlatformKeys
let treasury: string
let chain: ConfiguredChain
/** A writer that stores any purpose and signer. */
let careless: { purposes: IntentPurpose[] }

beforeAll(async () => {
  database = await createTestDatabase()
  for (const id of [business, other]) await database.db.query("insert into businesses (id, name) values ($1, 'one')", [id])
  ;[worker, treasuryDb] = [openDb(urlAs('worker', database.url), 2), openDb(urlAs('treasury', database.url), 2)]
  keys = openPlatformKeys(await openSeed({ db: database.db, keyProvider: envKeyProvider(new Secret(seedKey)) }))
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
    signed: () => {},
  }
  careless = { purposes: intentPurposes.map((each) => ({ ...each, signers: ['wallet', 'deposit', 'treasury'] as const })) }
  for (const businessId of [business, other]) for (const token of ['USDC', 'USDT']) await owe(of(businessId), token, 1_000_000n)
}, 60_000)
afterAll(async () => {
  await Promise.all([worker, treasuryDb].map((each) => each?.close()))
  await database?.drop()
})

const of = (businessId = business) => ({ db: database.db, businessId, chain })
let wallets = 9000

/** 500 units for a wallet that no other case uses. */
const honest = (wanted: Partial<WantedOutflow> = {}, businessId = business): Promise<Outflow> =>
  storedOutflow(of(businessId), { token: 'USDC', amount: 500n, address: addressOf(keyOf(wallets++)), ...wanted })
const refund = () => honest({ kind: 'refund' })
const unapproved = () => honest({ needsApproval: true })

/** Two owners, one of whom has approved it. */
async function approve({ id: subjectId, businessId }: Outflow, prover: Prover): Promise<void> {
  const [askedByAccount, decidedBy] = [await addPerson({ db: database.db }), await addPerson({ db: database.db })].map((person) => person.id)
  if (businessId === null || !askedByAccount || !decidedBy) throw new Error('it has no business or no owners')
  for (const account of [askedByAccount, decidedBy])
    await database.db.query("insert into members (business_id, account_id, role) values ($1, $2, 'owner')", [businessId, account])
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
    [approval.id, businessId, subjectId, askedByAccount, decidedBy, approval.decidedAt, prover.prove(approvalMessage(approval))],
  )
}

/** The transfer that an outflow asks for. */
const paying = ({ wallet }: Outflow, change: Partial<TransferSpec> = {}): NewIntent => {
  const action = intentOf({ from: treasury, to: wallet?.address ?? '', token: usdc, amount: wallet?.amount ?? 0n, ...change })
  const { symbol, decimals } = action.token ?? chain.native
  return { businessId: null, purpose: 'payout', chain: 'ethereum', signer: 'treasury', walletId: null, action, symbol, decimals }
}

/** As the worker stores it, which may write any column of its rows. */
async function stored(wanted: NewIntent, { id }: Pick<Outflow, 'id'>, prover: Prover | null = provers.worker): Promise<string> {
  const row = await worker.tx(async (tx) => {
    const intent = await insertIntent(careless, tx, wanted, 1000, prover)
    await tx.query("update outflows set intent_id = $2, status = 'processing' where id = $1 and status <> 'completed'", [id, intent.id])
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

const signatures = async (id: string) => (await database.db.query('select 1 from treasury_signatures where intent_id = $1', [id])).length
async function isSigned(id: string, without: readonly Check[] = []): Promise<boolean> {
  await signPending({ ...ctx, without })
  return (await signatures(id)) > 0
}

test('in good faith a payout, a refund, and one in another token are signed, each once', async () => {
  const [payout, back] = [await honest({ fee: 20n }), await refund()]
  const exchanged = await honest({
    token: 'USDT',
    wallet: { chain: 'ethereum', token: 'USDC', address: customer, memo: null, amount: 500n },
    address: customer,
  })
  const ids = [await stored(paying(payout), payout), await stored(paying(back), back), await stored(paying(exchanged), exchanged)]
  for (const id of ids) expect(await isSigned(id)).toBe(true)
  const rows = await readIntents(database.db, 'id = any($1::uuid[])', [ids])
  expect(rows.map(({ status }) => status)).toEqual(['signed', 'signed', 'signed'])
})

test('a payout that a second owner has approved is signed', async () => {
  const payout = await unapproved()
  await approve(payout, provers.api)
  expect(await isSigned(await stored(paying(payout), payout))).toBe(true)
})

/** Changes columns, as only the owner of the database can, and proves the row again where the worker's key is stolen, too. */
async function change(outflow: Outflow, sets: string, values: unknown[] = [], prover: Prover | null = null): Promise<Outflow> {
  await database.db.query(`update outflows set ${sets} where id = $1`, [outflow.id, ...values])
  const [now] = await readOutflows(database.db, 'id = $1', [outflow.id])
  if (!now) throw new Error('no outflow')
  if (prover) await database.db.query('update outflows set proof = $2 where id = $1', [now.id, prover.prove(outflowMessage(now))])
  return now
}
const asWorker = (outflow: Outflow, sets: string, values: unknown[] = []) => change(outflow, `made_by = 'worker', ${sets}`, values, provers.worker)

/** The destination of an outflow, changed, and proven again by another key. */
async function changeDestination({ destinationId }: Outflow, sets: string, values: unknown[] = [], prover: Prover | null = null): Promise<void> {
  const [row] = await database.db.query<Parameters<typeof destinationMessage>[0]>(
    `update payout_destinations set ${sets} where id = $1 returning id, business_id as "businessId", kind, network_id as "networkId", currency, chain,
       address, memo, memo_type as "memoType", usable_from as "usableFrom"`,
    [destinationId, ...values],
  )
  if (row && prover)
    await database.db.query('update payout_destinations set proof = $2 where id = $1', [row.id, prover.prove(destinationMessage(row))])
}

interface Forgery {
  what: string
  forge: () => Promise<{ wanted: NewIntent; outflow: Outflow }>
  /** Each stops it alone; with all of them off it is signed. */
  checks: Check[]
  why: RegExp
}

/** An outflow after a change, with the intent that it then asks for. */
const forged = async (make: () => Promise<Outflow>, forge: (outflow: Outflow) => Promise<unknown>) => {
  const outflow = await make()
  await forge(outflow)
  const [changed] = await readOutflows(database.db, 'id = $1', [outflow.id])
  if (!changed) throw new Error('no outflow')
  return { outflow: changed, wanted: paying(changed) }
}
const posted = (entries: (tx: Tx) => Promise<Entry[]>): Promise<void> =>
  database.db.tx(async (tx) => {
    await post(tx, await entries(tx))
  })
const otherIntent = async (make: () => Promise<Outflow>, intent: Partial<TransferSpec>) => {
  const outflow = await make()
  return { outflow, wanted: paying(outflow, intent) }
}

const forgeries: Forgery[] = [
  { what: 'an intent to another address', forge: () => otherIntent(honest, { to: thief }), checks: ['action'], why: /not what its purpose sends/ },
  { what: 'an intent of another amount', forge: () => otherIntent(honest, { amount: 501n }), checks: ['action'], why: /not what its purpose sends/ },
  { what: 'an intent of another token', forge: () => otherIntent(honest, { token: usdt }), checks: ['action'], why: /not what its purpose sends/ },
  { what: 'an intent of native coin', forge: () => otherIntent(honest, { token: null }), checks: ['action'], why: /not what its purpose sends/ },
  {
    what: 'an intent at a price of its own',
    forge: () => otherIntent(honest, { gasPrice: 10n ** 12n }),
    checks: ['action'],
    why: /not what its purpose/,
  },
  {
    what: "a refund's intent to another address",
    forge: () => otherIntent(refund, { to: thief }),
    checks: ['action'],
    why: /not what its purpose sends/,
  },
  {
    what: 'an intent of a business',
    forge: async () => {
      const outflow = await honest()
      return { outflow, wanted: { ...paying(outflow), businessId: business } }
    },
    checks: ['policy', 'signer'],
    why: /for no business/,
  },
  {
    what: 'an intent from a deposit address',
    forge: async () => {
      const [row] = await database.db.query<{ address: string }>("select address from deposit_addresses where family = 'evm' order by index limit 1")
      return otherIntent(honest, { from: row?.address ?? '' })
    },
    checks: ['signer', 'action'],
    why: /not from the treasury/,
  },
  {
    what: 'an outflow to another address than proven',
    forge: () => forged(refund, (outflow) => change(outflow, 'to_address = $2', [thief])),
    checks: ['policy'],
    why: /no valid proof of its maker/,
  },
  {
    what: 'a payout that no longer says that it needs an approval',
    forge: () => forged(unapproved, (outflow) => change(outflow, 'needs_approval = false')),
    checks: ['policy'],
    why: /no valid proof of its maker/,
  },
  {
    what: 'a payout without the approval that it needs',
    forge: () => forged(unapproved, async () => {}),
    checks: ['policy'],
    why: /no approval of a second owner/,
  },
  {
    what: 'a payout with an approval that the api has not proven',
    forge: () => forged(unapproved, (outflow) => approve(outflow, forger)),
    checks: ['policy'],
    why: /no approval of a second owner/,
  },
  {
    what: 'a payout with an approval of a person who is no owner any more',
    forge: () =>
      forged(unapproved, async (outflow) => {
        await approve(outflow, provers.api)
        await database.db.query(
          "update members set role = 'developer' where account_id in (select decided_by from approvals where subject_id = $1)",
          [outflow.id],
        )
      }),
    checks: ['policy'],
    why: /no approval of a second owner/,
  },
  {
    what: 'a payout to another address than its destination, with the proof of the worker',
    forge: () => forged(honest, (outflow) => asWorker(outflow, 'to_address = $2', [thief])),
    checks: ['policy', 'action'],
    why: /goes elsewhere than its destination/,
  },
  {
    what: 'a payout without a destination, with the proof of the worker',
    forge: () => forged(honest, (outflow) => asWorker(outflow, 'destination_id = null, to_address = $2', [thief])),
    checks: ['policy', 'action'],
    why: /names no destination/,
  },
  {
    what: 'a refund that the worker has made',
    forge: () => forged(refund, (outflow) => asWorker(outflow, 'to_address = $2', [thief])),
    checks: ['policy'],
    why: /only the API makes a refund/,
  },
  {
    what: 'a payout that is made a refund, with the proof of the worker',
    forge: () => forged(honest, (outflow) => asWorker(outflow, "kind = 'refund', to_address = $2", [thief])),
    checks: ['policy'],
    why: /only the API makes a refund/,
  },
  {
    what: 'money in suspense that the worker sends',
    forge: () => forged(refund, (outflow) => asWorker(outflow, "kind = 'suspense', business_id = null, to_address = $2", [thief])),
    checks: ['policy'],
    why: /only the API makes a suspense/,
  },
  {
    what: 'a top-up to an address that the treasury does not know',
    forge: () => forged(refund, (outflow) => asWorker(outflow, "kind = 'top_up', business_id = null, to_address = $2", [thief])),
    checks: ['policy'],
    why: /not the address of top-ups/,
  },
  {
    what: 'an outflow of the worker that says it is of the API',
    forge: () => forged(refund, (outflow) => change(outflow, 'to_address = $2', [thief], provers.worker)),
    checks: ['policy'],
    why: /no valid proof of its maker/,
  },
  {
    what: 'an outflow with the proof of another one',
    forge: () =>
      forged(refund, async (outflow) => {
        const another = await refund()
        return change(outflow, 'proof = (select proof from outflows o where o.id = $2), to_address = $3', [another.id, another.wallet?.address])
      }),
    checks: ['policy'],
    why: /no valid proof of its maker/,
  },
  {
    what: "an outflow with the forger's own proof",
    forge: () => forged(refund, (outflow) => change(outflow, 'to_address = $2', [thief], forger)),
    checks: ['policy'],
    why: /no valid proof of its maker/,
  },
  {
    what: 'an outflow without a proof',
    forge: () => forged(honest, (outflow) => change(outflow, 'proof = null')),
    checks: ['policy'],
    why: /no valid proof of its maker/,
  },
  {
    what: 'an outflow that takes more than proven',
    forge: () => forged(honest, (outflow) => change(outflow, 'amount = 600, to_amount = 600')),
    checks: ['policy'],
    why: /no valid proof of its maker/,
  },
  {
    what: 'an outflow that sends more than it takes',
    forge: () => forged(honest, (outflow) => change(outflow, 'to_amount = 501')),
    checks: ['policy'],
    why: /sends more than it takes/,
  },
  {
    what: 'an outflow that sends its fee, too',
    forge: () =>
      forged(
        () => honest({ fee: 20n }),
        (outflow) => change(outflow, 'to_amount = 481'),
      ),
    checks: ['policy'],
    why: /sends more than it takes/,
  },
  {
    what: 'a payout of dollars in native coin, one for one, with the proof of the worker',
    forge: async () => {
      const outflow = await asWorker(await honest(), "to_token = 'ETH', to_amount = 5000")
      return { outflow, wanted: paying(outflow, { token: null }) }
    },
    checks: ['policy'],
    why: /takes another asset/,
  },
  {
    what: 'a payout on another chain, with the proof of the worker',
    forge: () => forged(honest, (outflow) => asWorker(outflow, "to_chain = 'polygon'")),
    checks: ['policy'],
    why: /goes to another chain/,
  },
  {
    what: "another business's money, with the proof of the worker",
    forge: () => forged(honest, (outflow) => asWorker(outflow, 'business_id = $2', [other])),
    checks: ['policy', 'action'],
    why: /names no destination of its business/,
  },
  {
    what: "another business's destination, with the proof of the worker",
    forge: () =>
      forged(honest, async (outflow) => asWorker(outflow, 'destination_id = $2, to_address = $3', [await savedWallet(of(other), thief), thief])),
    checks: ['policy', 'action'],
    why: /names no destination of its business/,
  },
  {
    what: 'a destination that was changed',
    forge: () =>
      forged(honest, async (outflow) => {
        await changeDestination(outflow, 'address = $2', [thief])
        return asWorker(outflow, 'to_address = $2', [thief])
      }),
    checks: ['policy'],
    why: /destination has no valid proof/,
  },
  {
    what: 'a destination that the worker has proven',
    forge: () =>
      forged(honest, async (outflow) => {
        await changeDestination(outflow, 'address = $2', [thief], provers.worker)
        return asWorker(outflow, 'to_address = $2', [thief])
      }),
    checks: ['policy'],
    why: /destination has no valid proof/,
  },
  {
    what: 'a destination without a proof',
    forge: () => forged(honest, (outflow) => changeDestination(outflow, 'proof = null')),
    checks: ['policy'],
    why: /destination has no valid proof/,
  },
  {
    what: 'a destination with the proof of another one',
    forge: () =>
      forged(honest, async (outflow) => {
        const another = await honest()
        await changeDestination(outflow, 'address = $2, proof = (select proof from payout_destinations o where o.id = $3)', [
          another.wallet?.address,
          another.destinationId,
        ])
        return asWorker(outflow, 'to_address = $2', [another.wallet?.address])
      }),
    checks: ['policy'],
    why: /destination has no valid proof/,
  },
  {
    what: 'a destination that was moved to another business',
    forge: () =>
      forged(honest, async (outflow) => {
        const id = await savedWallet(of(other), thief)
        await database.db.query('update payout_destinations set business_id = $2 where id = $1', [id, business])
        return asWorker(outflow, 'destination_id = $2, to_address = $3', [id, thief])
      }),
    checks: ['policy'],
    why: /destination has no valid proof/,
  },
  {
    what: 'an archived destination',
    forge: () => forged(honest, (outflow) => changeDestination(outflow, 'archived_at = now()')),
    checks: ['policy'],
    why: /destination is archived/,
  },
  {
    what: 'a destination that is cooling off',
    forge: () =>
      forged(
        async () => {
          const address = addressOf(keyOf(wallets++))
          const destinationId = await savedWallet(of(), address, { usableFrom: new Date(Date.now() + 3_600_000) })
          return honest({ address, destinationId })
        },
        async () => {},
      ),
    checks: ['policy'],
    why: /destination is cooling off/,
  },
  {
    what: 'a destination whose cooling-off was shortened',
    forge: () => forged(honest, (outflow) => changeDestination(outflow, "usable_from = now() - interval '1 day'")),
    checks: ['policy'],
    why: /destination has no valid proof/,
  },
  {
    what: 'an outflow whose money was never held',
    forge: () =>
      forged(
        async () => {
          const [outflow, id] = [await honest(), newId()]
          await database.db.query(
            `insert into outflows select (jsonb_populate_record(o, jsonb_build_object('id', $2::text, 'proof', null))).* from outflows o where o.id = $1`,
            [outflow.id, id],
          )
          return asWorker({ ...outflow, id }, 'tries = 0')
        },
        async () => {},
      ),
    checks: ['policy'],
    why: /money is not held for it/,
  },
  {
    what: 'an outflow of more than is held, with the proof of the worker',
    forge: () => forged(honest, (outflow) => asWorker(outflow, 'amount = 600, to_amount = 600')),
    checks: ['policy'],
    why: /money is not held for it/,
  },
  {
    what: 'an outflow whose money was given back',
    forge: () => forged(honest, (outflow) => posted(async (tx) => givenBack(tx, outflow))),
    checks: ['policy'],
    why: /no longer held/,
  },
  {
    what: 'an outflow whose money has left already',
    forge: () => forged(honest, (outflow) => posted(async (tx) => hasLeft(tx, outflow))),
    checks: ['policy'],
    why: /no longer held/,
  },
]

describe('with a valid proof of the worker for the intent', () => {
  test.each(forgeries)('$what is refused; with its checks off it is signed', async ({ forge, checks, why }) => {
    const make = async () => {
      const { wanted, outflow } = await forge()
      return stored(wanted, outflow)
    }
    const id = await make()
    expect(await isSigned(id)).toBe(false)
    const [row] = await readIntents(database.db, 'id = $1', [id])
    expect(row).toMatchObject({ status: 'failed', reason: 'policy', message: expect.stringMatching(why) })
    for (const check of checks) {
      const others = checks.filter((each) => each !== check)
      if (others.length > 0) expect([check, await isSigned(await make(), others)]).toEqual([check, false])
    }
    expect(await isSigned(await make(), checks)).toBe(true)
  })

  const statuses = ['awaiting_approval', 'pending', 'unknown', 'completed', 'failed', 'cancelled'] as const
  test.each(statuses)('one whose outflow is %s is refused; with the check off it is signed', async (status) => {
    const make = async () => {
      const outflow = await honest()
      const id = await stored(paying(outflow), outflow)
      await database.db.query(
        `update outflows set status = $2, completed_at = case when $2 = 'completed' then now() end, next_at = null where id = $1`,
        [outflow.id, status],
      )
      return id
    }
    const id = await make()
    expect(await isSigned(id)).toBe(false)
    expect((await readIntents(database.db, 'id = $1', [id]))[0]?.message).toBe(`its outflow is ${status}`)
    expect(await isSigned(await make(), ['policy'])).toBe(true)
  })

  test('a transaction again of one that an operator has ended is refused; with the check off it is signed', async () => {
    const make = async () => {
      const outflow = await honest()
      const id = await stored(paying(outflow), outflow)
      await treasuryDb.query('insert into outflow_signatures (outflow_id, intent_id) values ($1, $2)', [outflow.id, id])
      await database.db.query(
        "update outflows set status = 'completed', completed_at = now(), next_at = null, ended_by = 'ada', evidence = 'an explorer' where id = $1",
        [outflow.id],
      )
      return id
    }
    const id = await make()
    expect(await isSigned(id)).toBe(false)
    expect((await readIntents(database.db, 'id = $1', [id]))[0]?.message).toBe('its outflow was ended by hand')
    expect(await isSigned(await make(), ['policy'])).toBe(true)
  })

  test('one that belongs to no outflow is refused; with the check off it is signed', async () => {
    const make = async () => stored(paying(await honest()), { id: newId() })
    expect(await isSigned(await make())).toBe(false)
    expect(await isSigned(await make(), ['policy', 'action'])).toBe(true)
  })

  test('a second intent of an outflow whose first is signed is refused, whatever the rows say of the first; with the check off it is signed', async () => {
    const make = async () => {
      const outflow = await honest()
      const first = await stored(paying(outflow), outflow)
      expect(await isSigned(first)).toBe(true)
      await database.db.query("update intents set status = 'failed', reason = 'insufficient_balance', next_reconcile_at = null where id = $1", [
        first,
      ])
      return stored(paying(outflow), outflow)
    }
    const second = await make()
    expect(await isSigned(second)).toBe(false)
    expect((await readIntents(database.db, 'id = $1', [second]))[0]?.message).toBe('another transaction of its outflow is signed')
    expect(await isSigned(await make(), ['policy'])).toBe(true)
  })

  test('a second intent is signed where nothing of the first was', async () => {
    const outflow = await honest()
    const first = await stored(paying(outflow, { to: thief }), outflow)
    expect(await isSigned(first)).toBe(false)
    expect(await isSigned(await stored(paying(outflow), outflow))).toBe(true)
  })

  test('a second transaction of a payout at another nonce is not signed; with that check off it is', async () => {
    const make = async () => {
      const outflow = await honest()
      const id = await stored(paying(outflow), outflow)
      expect(await isSigned(id)).toBe(true)
      await request(id, 700n)
      return id
    }
    const first = await make()
    await signPending(ctx)
    expect(await signatures(first)).toBe(1)
    const second = await make()
    await signPending({ ...ctx, without: ['signed before'] })
    expect(await signatures(second)).toBe(2)
  })

  test('beyond the daily limit it is refused, even where the worker asks for it; with the check off it is signed', async () => {
    const room = (await sentToday(database.db, 'ethereum', usdc)) + 499n
    const signing = await ctx.signing('ethereum')
    const limited: SigningContext = {
      ...ctx,
      signing: async () => signing && { ...signing, chain: { ...signing.chain, dailyLimits: new Map([['USDC', room]]) } },
    }
    const make = async () => {
      const outflow = await honest()
      return stored(paying(outflow), outflow)
    }
    const id = await make()
    await signPending(limited)
    expect([await signatures(id), (await readIntents(database.db, 'id = $1', [id]))[0]?.message]).toEqual([
      0,
      'the daily limit of USDC on ethereum is reached',
    ])
    const again = await make()
    await signPending({ ...limited, without: ['policy'] })
    expect(await signatures(again)).toBe(1)
  })

  test('of two treasuries that sign at a time, one takes what is left of the day', async () => {
    const room = (await sentToday(database.db, 'ethereum', usdc)) + 999n
    const facts = { addresses: keys, chain: { ...chain, dailyLimits: new Map([['USDC', room]]) }, proofs }
    const outflows = [await honest(), await honest()]
    const ids = await Promise.all(outflows.map((outflow) => stored(paying(outflow), outflow)))
    const rows = await readIntents(database.db, 'id = any($1::uuid[]) order by id', [ids])
    const check = (tx: Tx, index: number) => payoutPurpose.policy.check(tx, rows[index] as Intent, facts)
    const second = await treasuryDb.tx(async (tx) => {
      expect(await check(tx, 0)).toBeNull()
      await tx.query("insert into treasury_signatures (intent_id, chain, tx_id) values ($1, 'ethereum', 'made')", [rows[0]?.id])
      const waiting = treasuryDb.tx((other) => check(other, 1))
      await pause(300)
      return { waiting }
    })
    expect(await second.waiting).toBe('the daily limit of USDC on ethereum is reached')
  })

  test("a suspended business's payout stays unsigned, and blocks no other; it is signed when the business is approved again", async () => {
    const set = (approval: string) => database.db.query('update businesses set approval = $2 where id = $1', [other, approval])
    await set('suspended')
    const held: string[] = []
    for (let i = 0; i < 25; i++) {
      const outflow = await honest({ amount: 5n, address: addressOf(keyOf(wallets++)) }, other)
      held.push(await stored(paying(outflow), outflow))
    }
    const outflow = await honest()
    expect(await isSigned(await stored(paying(outflow), outflow))).toBe(true)
    expect(await readIntents(database.db, 'id = any($1::uuid[]) and status <> $2', [held, 'created'])).toEqual([])
    await set('approved')
    await signPending(ctx)
    await signPending(ctx)
    expect(await Promise.all(held.map(signatures))).toEqual(held.map(() => 1))
  })
})

const unproven: [string, Prover | null][] = [
  ["with the api's proof", provers.api],
  ["with a proof by the forger's own key", forger],
  ['without a proof', null],
]
test.each(unproven)('a payout %s is not signed; with that check off it is', async (_what, prover) => {
  const make = async () => {
    const outflow = await honest()
    return stored(paying(outflow), outflow, prover)
  }
  expect(await isSigned(await make())).toBe(false)
  expect(await isSigned(await make(), ['intent proof'])).toBe(true)
})

test("no other process writes the treasury's record of outflows", async () => {
  for (const role of ['api', 'worker', 'indexer'] as const) {
    const db = openDb(urlAs(role, database.url), 1)
    for (const sql of ['insert into outflow_signatures values ($1, $1)', 'delete from outflow_signatures where intent_id = $1'])
      await expect(db.query(sql, [newId()])).rejects.toThrow('permission denied')
    await db.close()
  }
  await expect(treasuryDb.query('delete from outflow_signatures')).rejects.toThrow('permission denied')
})
