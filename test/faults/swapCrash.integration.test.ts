import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Address, Hex } from 'viem'
import { swapFailpoints } from '../../src/capabilities.ts'
import { createRequestKey } from '../../src/custody/requestKey.ts'
import { storedKey } from '../../src/platform/database/idempotency.ts'
import type { SwapFailpoint } from '../../src/platform/failpoints.ts'
import { Secret } from '../../src/platform/secrets.ts'
import type { Payer } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { execute, heldOf, intentsOf, newSwapper, type SwapBody, swapEnds } from '../support/swaps.ts'
import { appKey } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'
import { sendOutside } from './evmPool.ts'
import { expectNothingLeft, expireLeases, through } from './sending.ts'

/** A process that is killed while it swaps: the client repeats its request, and the swap is made once. */

let stack: Stack
const proofs = mkdtempSync(join(tmpdir(), 'cowry-swapping-'))
const reached = new Set<SwapFailpoint>()

beforeAll(async () => {
  stack = await createStack({
    processes: ['api', 'worker'],
    separate: true,
    confirmations: 2,
    env: { RPC_TIMEOUT_MS: '5000', TXMGR_RECONCILE_MS: '100', TXMGR_UNMINABLE_MS: '200' },
  })
})
afterAll(async () => {
  await stack?.close()
  rmSync(proofs, { recursive: true })
})

/** At these nothing of the request is stored yet. */
const beforeStored: readonly SwapFailpoint[] = ['api.swap-prepared', 'api.swap-claimed']

/** Makes an API process swap and be killed there. */
async function killedAt(name: SwapFailpoint, payer: Payer): Promise<void> {
  const proof = join(proofs, name)
  const doomed = stack.launch('api', { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof }, { as: name })
  await doomed.ready(120_000)
  const asked = execute(through(stack, doomed), payer, {}, name).catch(() => null)
  if (name === 'api.swap-resigned') await takeNonce(payer)
  expect(await asked).toBeNull()
  await waitFor(`the kill at ${name}`, async () => !doomed.running())
  expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
}

/**
 * Another wallet uses the nonce of the first transaction after the API has requested it, before it is
 * claimed.
 */
async function takeNonce({ address, privateKey }: Payer): Promise<void> {
  await stack.db.tx(async (tx) => {
    await tx.query('lock table intents in exclusive mode')
    const waits =
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into intents%' and datname = current_database()"
    await waitFor('the API at its first intent', async () => (await stack.db.query(waits)).length > 0)
    await sendOutside(stack, privateKey as Hex, { to: address as Address, nonce: 0 })
    await stack.mine(3)
  })
}

/** The client repeats its request: during the lease of the first it is refused. */
async function repeated(name: SwapFailpoint, payer: Payer): Promise<SwapBody> {
  const isStored = !beforeStored.includes(name)
  if (!isStored) {
    expect(await intentsOf(stack, payer)).toEqual([])
    expect(
      await stack.db.query('select 1 from intent_nonces where address = $1', [payer.address.toLowerCase()]),
    ).toEqual([])
    const refused = await execute<{ error: string }>(stack, payer, {}, name)
    expect(refused.body.error).toBe('request_in_progress')
    const requestKey = createRequestKey({ db: stack.db, appKey: new Secret(appKey) })
    const key = storedKey(await requestKey(), name)
    await stack.db.query(
      "update idempotency_keys set lease_until = now() - interval '1 second' where key = $1",
      [key],
    )
  }
  const { status, body, headers } = await execute(stack, payer, {}, name)
  expect([status, headers.get('idempotent-replayed')]).toEqual([201, isStored ? 'true' : null])
  return body
}

test.each(swapFailpoints.map((name) => ({ name })))(
  'SIGKILL at $name: it swaps once, and is reported once',
  async ({ name }) => {
    const payer = await newSwapper(stack)
    await killedAt(name, payer)
    reached.add(name)
    const { id } = await repeated(name, payer)
    await expireLeases(stack)
    const done = await swapEnds(stack, id, 90_000)
    expect(done).toMatchObject({
      id,
      status: 'confirmed',
      success: true,
      amountReceived: '99.7',
      allowanceLeft: null,
    })
    expect([
      await heldOf(stack, stack.devnet.usdc, payer.address),
      await heldOf(stack, stack.devnet.usdt ?? '', payer.address),
    ]).toEqual([900_000_000n, 99_700_000n])
    expect((await intentsOf(stack, payer)).map(({ purpose, status }) => [purpose, status])).toEqual([
      ['swap-approval', 'confirmed'],
      ['swap', 'confirmed'],
    ])
    await stack.idle()
    expect(await stack.db.query("select type from events where data->>'id' = $1", [id])).toEqual([
      { type: 'swap.confirmed' },
    ])
    await expectNothingLeft(stack)
  },
)

test('every failpoint in the code was reached', () => {
  expect([...reached].toSorted()).toEqual([...swapFailpoints].toSorted())
})
