import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { CallsSpec } from '../../src/chains/action.ts'
import { knownChain } from '../../src/chains/registry.ts'
import type { ActionBuilder, Terms } from '../../src/chains/sending.ts'
import { transferBuilder } from '../../src/chains/transferBuilders.ts'
import { createProver, type Prover } from '../../src/custody/proof.ts'
import { type Db, openDb } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { insertRequest } from '../../src/txmgr/attempts.ts'
import { claimNonce } from '../../src/txmgr/claimNonce.ts'
import { type IntentPurpose, insertIntent, type NewIntent, readIntents } from '../../src/txmgr/intents.ts'
import type { Check } from '../../src/txmgr/signingPolicy.ts'
import { type SigningContext, signPending } from '../../src/txmgr/signPending.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addressOf, keyOf } from '../support/evmIntents.ts'
import { proofs, provers } from '../support/intentKeys.ts'
import { insertBusiness } from '../support/madeBusiness.ts'
import { transfers } from '../support/purposes.ts'
import { urlAs } from '../support/template.ts'
import {
  approval,
  moving,
  newTestCall,
  spender,
  testCallPurpose,
  testKeys,
  testTables,
  third,
} from '../support/testCalls.ts'

/**
 * The treasury does not sign calls that their purpose does not send, even with a proof; and no calls without
 * the proof of the process that makes them.
 */

const usdc = { contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', symbol: 'USDC', decimals: 6 }
const terms: Terms = {
  gas: '65000',
  maxFeePerGas: '1000000000',
  maxPriorityFeePerGas: '1000000000',
  l1Fee: '0',
}
const [destination, thief] = [addressOf(keyOf(6100)), addressOf(keyOf(6666))]
const forger = createProver(new Secret(Buffer.alloc(32, 99).toString('base64')))
const business = newId()

let database: TestDatabase
let worker: Db
let api: Db
let ctx: SigningContext
/** A writer that stores any purpose and signer. */
let careless: { purposes: IntentPurpose[] }

beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.query(testTables)
  await database.db.query('insert into test_destinations (address) values ($1)', [destination])
  await insertBusiness(database.db, business, 'one')
  ;[worker, api] = [openDb(urlAs('worker', database.url), 2), openDb(urlAs('api', database.url), 2)]
  const ethereum = knownChain('ethereum')
  if (!ethereum) throw new Error('ethereum is not a known chain')
  const evm = await transferBuilder(ethereum)
  // An EVM transaction has one call and no cosigners: this builder leaves others out, so that only policy
  // refuses them.
  const builder: ActionBuilder = {
    ...evm,
    sign: (action, of, nonce, keys) =>
      evm.sign(
        action.kind === 'calls' ? { ...action, calls: action.calls.slice(0, 1), cosigners: [] } : action,
        of,
        nonce,
        keys.slice(0, 1),
      ),
  }
  const purpose = testCallPurpose(usdc)
  ctx = {
    db: openDb(urlAs('treasury', database.url), 2),
    log: createLog('test', 'silent'),
    environment: 'test',
    proofs,
    signing: async () => ({ chain: ethereum, builder }),
    signers: [testKeys, { ...testKeys, name: 'external' }],
    purposes: [...transfers.purposes, purpose],
    signed: () => {},
  }
  const all = (name: string) => ({
    ...purpose,
    name: name as never,
    signers: ['test-key', 'external'] as const,
  })
  careless = { purposes: ['transfer', 'test-call', 'sweep'].map(all) }
})
afterAll(async () => {
  await Promise.all([worker, api, ctx?.db].map((each) => each?.close()))
  await database?.drop()
})

const genuine = newTestCall('ethereum', moving(usdc, 500n, destination))

/** Stores an intent, and its request as a worker does in good faith. @returns its id */
async function stored(wanted: NewIntent, prover: Prover | null, db: Db = worker): Promise<string> {
  const row = await db.tx((tx) => insertIntent(careless, tx, wanted, 1000, prover))
  await worker.tx(async (tx) => {
    const nonce = await claimNonce(tx, { chain: row.chain, address: row.action.from, intentId: row.id }, 0n)
    await insertRequest(tx, row, { nonce, terms }, provers.worker)
  })
  return row.id
}
const isSigned = async (id: string) =>
  (await database.db.query('select 1 from treasury_signatures where intent_id = $1', [id])).length > 0
async function signedWithout(id: string, without: readonly Check[]): Promise<boolean> {
  await signPending({ ...ctx, without })
  return isSigned(id)
}

const withAction = (change: Partial<CallsSpec>): NewIntent => ({
  ...genuine,
  action: { ...moving(usdc, 500n, destination), ...change },
})
const calls = (change: Partial<CallsSpec['calls'][number]>) =>
  moving(usdc, 500n, destination).calls.map((each) => ({ ...each, ...change }))

/** Each with the checks that stop it where its proof is valid: with all of them off it is signed. */
const forgeries: [what: string, wanted: NewIntent, checks: Check[], why: RegExp][] = [
  [
    'of other calldata',
    withAction({ calls: calls({ data: moving(usdc, 1n, thief).calls[0]?.data ?? '' }) }),
    ['action'],
    /not what its purpose sends/,
  ],
  [
    'of another contract',
    withAction({ calls: calls({ to: thief }) }),
    ['action'],
    /not what its purpose sends/,
  ],
  [
    'to another destination than its purpose works out',
    { ...genuine, action: moving(usdc, 500n, thief) },
    ['action'],
    /not what its purpose sends/,
  ],
  [
    'with another call',
    withAction({ calls: [...calls({}), ...approval(usdc, 1000n).calls] }),
    ['action'],
    /not what its purpose sends/,
  ],
  [
    'of changed spends',
    withAction({ spends: [{ address: thief, token: usdc, amount: 500n }] }),
    ['action'],
    /not what its purpose sends/,
  ],
  ['of changed receipts', withAction({ receives: [] }), ['action'], /not what its purpose sends/],
  [
    'with an extra cosigner',
    withAction({ cosigners: [addressOf(keyOf(6001))] }),
    ['action'],
    /not what its purpose sends/,
  ],
  ['at another price', withAction({ gasPrice: 10n ** 12n }), ['action'], /not what its purpose sends/],
  [
    'of more than its purpose allows',
    { ...genuine, action: moving(usdc, 1001n, destination) },
    ['policy'],
    /more than a thousand/,
  ],
  ['of another owner', { ...genuine, businessId: business }, ['policy'], /not of the platform/],
  [
    'of another purpose',
    { ...genuine, purpose: 'transfer' },
    ['purpose', 'policy', 'intent proof'],
    /does not sign a transfer of signer test-key/,
  ],
  [
    'of an unknown purpose',
    { ...genuine, purpose: 'sweep' as never },
    ['purpose', 'intent proof'],
    /does not sign a sweep/,
  ],
  [
    'of another signer',
    { ...genuine, signer: 'external' },
    ['purpose'],
    /does not sign a test-call of signer external/,
  ],
  [
    'from an address that its signer must not use',
    { ...genuine, action: { ...moving(usdc, 500n, destination), from: third } },
    ['signer', 'action'],
    /no key here/,
  ],
  [
    'with native coin that it does not state',
    withAction({ calls: calls({ value: 5n }) }),
    ['flows', 'action'],
    /send more of the native coin/,
  ],
  [
    'of an unknown token',
    withAction({ spends: [{ address: spender, token: { ...usdc, decimals: 18 }, amount: 500n }] }),
    ['token', 'action'],
    /token is not known/,
  ],
]

test('a genuine call is signed, with the roles of the processes alone', async () => {
  expect(await signedWithout(await stored(genuine, provers.worker), [])).toBe(true)
  expect(
    await signedWithout(await stored(newTestCall('ethereum', approval(usdc, 1000n)), provers.worker), []),
  ).toBe(true)
})

describe('a call', () => {
  test.each(forgeries)(
    '%s is refused with a valid proof; with its checks off it is signed',
    async (_what, wanted, checks, why) => {
      const id = await stored(wanted, provers.worker)
      expect(await signedWithout(id, [])).toBe(false)
      const [row] = await readIntents(database.db, 'id = $1', [id])
      expect(row).toMatchObject({ status: 'failed', reason: 'policy', message: expect.stringMatching(why) })
      // Each of its checks stops it alone.
      for (const check of checks) {
        const others = checks.filter((each) => each !== check)
        if (others.length > 0)
          expect([check, await signedWithout(await stored(wanted, provers.worker), others)]).toEqual([
            check,
            false,
          ])
      }
      expect(await signedWithout(await stored(wanted, provers.worker), checks)).toBe(true)
    },
  )

  const unproven: [string, () => Promise<string>][] = [
    ["with the api's proof", () => stored(genuine, provers.api)],
    ["with the api's proof, stored by the api", () => stored(genuine, provers.api, api)],
    ["with a proof by the forger's own key", () => stored(genuine, forger)],
    ['without a proof', () => stored(genuine, null)],
  ]
  test.each(unproven)('%s is not signed; with that check off it is', async (_what, make) => {
    expect(await signedWithout(await make(), [])).toBe(false)
    expect(await signedWithout(await make(), ['intent proof'])).toBe(true)
  })

  const columns = [
    'calls',
    'cosigners',
    'spends',
    'receives',
    'business_id',
    'from_address',
    'gas_price',
    'purpose',
    'signer',
  ]
  test.each(columns)(
    'whose %s changed after its proof is not signed, even where its purpose would allow it',
    async (column) => {
      const other = {
        ...newTestCall('ethereum', {
          ...moving(usdc, 400n, destination),
          from: third,
          cosigners: [spender],
          gasPrice: 7n,
        }),
        businessId: business,
      }
      const source = await stored(
        {
          ...other,
          signer: 'external',
          purpose: 'sweep' as never,
          action: { ...other.action, receives: [] } as CallsSpec,
        },
        forger,
      )
      const id = await stored(genuine, provers.worker)
      const denied = worker.query(`update intents set ${column} = ${column} where id = $1`, [id])
      await expect(denied).rejects.toThrow('permission denied')
      await database.db.query(
        `update intents a set ${column} = b.${column} from intents b where a.id = $1 and b.id = $2`,
        [id, source],
      )
      const policies: Check[] = ['action', 'policy', 'purpose', 'signer', 'flows', 'nonce', 'signed before']
      expect(await signedWithout(id, policies)).toBe(false)
      const [row] = await readIntents(database.db, 'id = $1', [id])
      expect(row?.message).toMatch(/its proof is not of the (API|worker)/)
    },
  )
})
