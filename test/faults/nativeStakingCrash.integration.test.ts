import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { nativeStakingFailpoints } from '../../src/capabilities.ts'
import { createRequestKey } from '../../src/custody/requestKey.ts'
import { storedKey } from '../../src/platform/database/idempotency.ts'
import type { NativeStakingFailpoint } from '../../src/platform/failpoints.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { full } from '../support/full.ts'
import {
  chain,
  checkAgain,
  feesOf,
  lamportsOf,
  nativePlan,
  sol,
  solStaker,
  validatorsOf,
} from '../support/nativeStaking.ts'
import type { Payer } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { type StakeBody, stakeIs, type Unstaked } from '../support/staking.ts'
import { appKey } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'
import { expectNothingLeft, expireLeases, through } from './sending.ts'

/**
 * A process that is killed while it stakes, splits, unstakes or withdraws a native stake: the client repeats
 * its request, and each is done once.
 */

let stack: Stack
let plan: string
let validator: string
/** The short form has one of each request, and that of the worker. */
const names: readonly NativeStakingFailpoint[] = full
  ? nativeStakingFailpoints
  : [
      'api.native-stake-signed',
      'api.native-unstake-recorded',
      'api.native-withdrawal-sent',
      'staking.native-settled',
    ]
const proofs = mkdtempSync(join(tmpdir(), 'cowry-native-staking-'))
const reached = new Set<NativeStakingFailpoint>()

beforeAll(async () => {
  stack = await createStack({
    chains: [chain],
    processes: ['api', 'worker'],
    separate: true,
    confirmations: 2,
    env: { RPC_TIMEOUT_MS: '10000', TXMGR_RECONCILE_MS: '100' },
  })
  plan = await nativePlan(stack)
  validator = (await validatorsOf(stack)).current
}, 120_000)
afterAll(async () => {
  await stack?.close()
  rmSync(proofs, { recursive: true })
})

type Kind = 'stake' | 'unstake' | 'withdraw'
const kinds: Record<string, Kind> = {
  'api.native-stake': 'stake',
  'api.native-unstake': 'unstake',
  'api.native-withdrawal': 'withdraw',
}
/** The request that a failpoint of the api is in. */
const requestOf = (name: NativeStakingFailpoint): Kind | null =>
  kinds[name.slice(0, name.lastIndexOf('-'))] ?? null
/** At these nothing of the request is stored yet. */
const isBeforeStored = (name: NativeStakingFailpoint): boolean => name.endsWith('-claimed')

const expectKilledAt = (name: string) => {
  const proof = join(proofs, name)
  expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
}
const launch = async (process: 'api' | 'worker', name: NativeStakingFailpoint) => {
  const doomed = stack.launch(
    process,
    { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: join(proofs, name) },
    { as: name },
  )
  await doomed.ready(120_000)
  return doomed
}

/** Sends a request, first to a process that is killed at the failpoint if it is in this request. */
async function request<T>(name: NativeStakingFailpoint, kind: Kind, payer: Payer, more: object): Promise<T> {
  const key = `${name}-${kind}`
  const body = { chain, fromPrivateKey: payer.privateKey, ...more }
  const send = (to: Stack) => to.api<T>('POST', `/staking/${kind}`, body, { 'idempotency-key': key })
  const isDoomed = requestOf(name) === kind
  if (isDoomed) {
    const doomed = await launch('api', name)
    expect(await send(through(stack, doomed)).catch(() => null)).toBeNull()
    await waitFor(`the kill at ${name}`, async () => !doomed.running())
    expectKilledAt(name)
    if (isBeforeStored(name)) {
      const requestKey = createRequestKey({ db: stack.db, appKey: new Secret(appKey) })
      const stored = storedKey(await requestKey(), key)
      await stack.db.query(
        "update idempotency_keys set lease_until = now() - interval '1 second' where key = $1",
        [stored],
      )
    }
  }
  const { status, body: answer, headers } = await send(stack)
  if (status >= 300) throw new Error(JSON.stringify(answer))
  expect(headers.get('idempotent-replayed')).toBe(isDoomed && !isBeforeStored(name) ? 'true' : null)
  await expireLeases(stack)
  return answer
}

/** Runs the worker until it is killed at the failpoint, then another one. */
async function withDoomedWorker<T>(name: NativeStakingFailpoint, work: () => Promise<T>): Promise<T> {
  if (requestOf(name) !== null) return work()
  await stack.stop('worker')
  const doomed = await launch('worker', name)
  const killed = waitFor(`the kill at ${name}`, async () => !doomed.running(), 120_000).then(async () => {
    expectKilledAt(name)
    await stack.start('worker')
    await expireLeases(stack)
    await checkAgain(stack)
  })
  const [result] = await Promise.all([work(), killed])
  return result
}

/** Stakes 3, unstakes and withdraws 1: the rest stays. */
async function wholeCourse(name: NativeStakingFailpoint, payer: Payer): Promise<[StakeBody, StakeBody]> {
  const is = (id: string, isSo: (stake: StakeBody) => boolean) => stakeIs(stack, chain, id, isSo, 120_000)
  const { id } = await request<StakeBody>(name, 'stake', payer, { planId: plan, validator, amount: '3' })
  await is(id, ({ confirmedAt }) => confirmedAt !== null)
  const { remainingStakeId } = await request<Unstaked>(name, 'unstake', payer, {
    stakeId: id,
    amountToUnstake: '1',
  })
  await is(id, ({ chainState }) => chainState === 'inactive')
  await request(name, 'withdraw', payer, { stakeId: id })
  return Promise.all([
    is(id, ({ status }) => status === 'withdrawn'),
    is(remainingStakeId ?? '', ({ chainState }) => chainState === 'activating'),
  ])
}

test.each(names.map((name) => ({ name })))('SIGKILL at $name: each is done once', async ({ name }) => {
  const payer = await solStaker(stack, '10')
  const [done, rest] = await withDoomedWorker(name, () => wholeCourse(name, payer))
  reached.add(name)
  expect([done.amount, rest.amount, rest.status]).toEqual(['1', '2', 'active'])
  const rent = 2_282_880n
  expect(await lamportsOf(stack, payer.address)).toBe(8n * sol - rent - (await feesOf(stack, payer.address)))
  expect(await stack.db.query('select 1 from intents where from_address = $1', [payer.address])).toHaveLength(
    3,
  )
  await stack.idle()
  const events = await stack.db.query<{ type: string }>(
    "select type from events where data->>'id' = $1 order by sequence",
    [done.id],
  )
  expect(events.map(({ type }) => type)).toEqual(['stake.active', 'stake.unstaking', 'stake.withdrawn'])
  await expectNothingLeft(stack)
})

test('every failpoint of this form was reached', () => {
  expect([...reached].toSorted()).toEqual(names.toSorted())
})
