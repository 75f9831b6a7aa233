import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { stakingFailpoints } from '../../src/capabilities.ts'
import { createRequestKey } from '../../src/custody/requestKey.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import { parseUnits } from '../../src/money/amount.ts'
import { storedKey } from '../../src/platform/database/idempotency.ts'
import type { StakingFailpoint } from '../../src/platform/failpoints.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { heldOn } from '../support/chainBooks.ts'
import { full } from '../support/full.ts'
import type { Payer } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { fundStaking, newStaker, planOn, type StakeBody, stakeIs } from '../support/staking.ts'
import { appKey } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'
import { expectNothingLeft, expireLeases, through } from './sending.ts'

/**
 * A process that is killed while it stakes, unstakes or pays: the client repeats its request, and a stake is
 * made and paid once.
 */

const chain = 'ethereum'
const one = 1_000_000n
let stack: Stack
let plan: string
/** The short form has one of each kind: in a request that sends, in one that stores, in the worker. */
const names: readonly StakingFailpoint[] = full
  ? stakingFailpoints
  : ['api.stake-sent', 'api.stake-withdrawal-requested', 'staking.payment-stored']
const proofs = mkdtempSync(join(tmpdir(), 'cowry-staking-'))
const reached = new Set<StakingFailpoint>()

beforeAll(async () => {
  stack = await createStack({
    processes: ['treasury', 'api', 'worker'],
    separate: true,
    confirmations: 2,
    env: { RPC_TIMEOUT_MS: '10000', TXMGR_RECONCILE_MS: '100' },
  })
  await fundStaking(stack, chain, 'evm', { token: 'USDC', units: '500', base: 500n * one })
  plan = await planOn(stack, chain, { lockDays: 0 })
}, 120_000)
afterAll(async () => {
  await stack?.close()
  rmSync(proofs, { recursive: true })
})

/** The request that a failpoint of the api is in. */
const requestOf = (name: StakingFailpoint): 'stake' | 'unstake' | 'withdraw' | null => {
  if (name === 'api.stake-unstaked') return 'unstake'
  if (name === 'api.stake-withdrawal-requested') return 'withdraw'
  return name.startsWith('api.') ? 'stake' : null
}

/** At this one nothing of the request is stored yet. */
const beforeStored: readonly StakingFailpoint[] = ['api.stake-claimed']

/** Sends a request, first to a process that is killed at the failpoint if it is in this request. */
async function request<T>(
  name: StakingFailpoint,
  kind: 'stake' | 'unstake' | 'withdraw',
  body: object,
): Promise<T> {
  const key = `${name}-${kind}`
  const send = (to: Stack) => to.api<T>('POST', `/staking/${kind}`, body, { 'idempotency-key': key })
  if (requestOf(name) === kind) {
    const proof = join(proofs, name)
    const doomed = stack.launch('api', { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof }, { as: name })
    await doomed.ready(120_000)
    expect(await send(through(stack, doomed)).catch(() => null)).toBeNull()
    await waitFor(`the kill at ${name}`, async () => !doomed.running())
    expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
    if (beforeStored.includes(name)) {
      const requestKey = createRequestKey({ db: stack.db, appKey: new Secret(appKey) })
      await stack.db.query(
        "update idempotency_keys set lease_until = now() - interval '1 second' where key = $1",
        [storedKey(await requestKey(), key)],
      )
    }
  }
  const { status, body: answer, headers } = await send(stack)
  const isReplayed = requestOf(name) === kind && !beforeStored.includes(name)
  expect([status < 300, headers.get('idempotent-replayed')]).toEqual([true, isReplayed ? 'true' : null])
  return answer
}

/** Runs the worker until it is killed at the failpoint, then another one. */
async function withDoomedWorker<T>(name: StakingFailpoint, work: () => Promise<T>): Promise<T> {
  if (requestOf(name) !== null) return work()
  await stack.stop('worker')
  const proof = join(proofs, name)
  const doomed = stack.launch('worker', { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof }, { as: name })
  await doomed.ready(120_000)
  const killed = waitFor(`the kill at ${name}`, async () => !doomed.running(), 120_000).then(async () => {
    expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
    await stack.start('worker')
    await expireAll()
  })
  const [result] = await Promise.all([work(), killed])
  return result
}

async function expireAll(): Promise<void> {
  await expireLeases(stack)
  await stack.db.query('update stakes set next_at = now() where next_at is not null')
}

async function wholeCourse(
  name: StakingFailpoint,
  { privateKey: fromPrivateKey }: Payer,
): Promise<StakeBody> {
  const { id } = await request<StakeBody>(name, 'stake', {
    chain,
    planId: plan,
    amount: '100',
    fromPrivateKey,
  })
  await expireLeases(stack)
  await stakeIs(stack, chain, id, ({ confirmedAt }) => confirmedAt !== null, 120_000)
  await request(name, 'unstake', { stakeId: id, chain, fromPrivateKey })
  await request(name, 'withdraw', { stakeId: id, chain })
  return stakeIs(stack, chain, id, ({ status }) => status === 'withdrawn', 120_000)
}

test.each(names.map((name) => ({ name })))(
  'SIGKILL at $name: it stakes once, and is paid once',
  async ({ name }) => {
    const payer = await newStaker(stack, chain)
    const done = await withDoomedWorker(name, () => wholeCourse(name, payer))
    reached.add(name)
    const rewards = parseUnits(done.rewards, 6) ?? 0n
    expect(await heldOn(stack, chain, 'usdc', payer.address)).toBe(1000n * one + rewards)
    expect(
      await balanceOf(stack.db, { name: 'stakes', businessId: stack.businessId, asset: 'ethereum:USDC' }),
    ).toBe(0n)
    await stack.idle()
    const events = await stack.db.query<{ type: string }>(
      "select type from events where data->>'id' = $1 order by sequence",
      [done.id],
    )
    expect(events.map(({ type }) => type)).toEqual(['stake.active', 'stake.unstaking', 'stake.withdrawn'])
    await expectNothingLeft(stack)
  },
)

test('every failpoint of this form was reached', () => {
  expect([...reached].toSorted()).toEqual(names.toSorted())
})
