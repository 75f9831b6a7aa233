import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import type { CowryProcess } from '../../scripts/local/cowryProcess.ts'
import { sendingFailpoints } from '../../src/capabilities.ts'
import type { ChainName } from '../../src/chains/registry.ts'
import type { SendingFailpoint } from '../../src/platform/failpoints.ts'
import { full, howMany } from '../support/full.ts'
import { otherChainNames } from '../support/otherDevnets.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { metric } from './metric.ts'
import { heldBy, sentBy, unitsOf } from './onChain.ts'
import {
  eventsOf,
  expectNothingLeft,
  expireLeases,
  miningUntil,
  normalOf,
  rowOf,
  sendWithKey,
  sequencesOf,
  settledAt,
  through,
  transferOf,
} from './sending.ts'
import { type Doomed, doomedTransfer, type Scenario, scenarios, submitted } from './sendingScenarios.ts'
import {
  expectNothingHalfSent,
  expectNothingHalfSigned,
  expectSentOnce,
  newSenders,
  queueTransfers,
  signaturesOf,
  terminatedAt,
} from './sendingStop.ts'

let stack: Stack
const proofs = mkdtempSync(join(tmpdir(), 'cowry-sending-'))
const reached = new Set<SendingFailpoint>()

beforeAll(async () => {
  stack = await createStack({
    chains: ['ethereum', ...otherChainNames],
    processes: [...programs],
    confirmations: 2,
    // The first request of a chain loads its family's libraries while processes are starting.
    env: {
      RPC_TIMEOUT_MS: '5000',
      WEBHOOK_TIMEOUT_MS: '1000',
      TXMGR_RECONCILE_MS: '100',
      TXMGR_UNMINABLE_MS: '200',
    },
  })
})
afterAll(async () => {
  await stack?.close()
  rmSync(proofs, { recursive: true })
})

const programs = ['treasury', 'api', 'worker'] as const
const seconds = ['second treasury', 'second worker'] as const
// Restarts processes that a failed test has stopped, and ends those that would take the others' work.
beforeEach(async () => {
  for (const name of seconds) if (stack.processes.get(name)?.running()) await stack.stop(name)
  for (const name of programs) if (!stack.processes.get(name)?.running()) await stack.start(name)
})

interface Case {
  doomed: Doomed
  scenario: Scenario
}

/**
 * Failpoints where families could differ: storing, sending, deciding. The long form runs all of them on all
 * families.
 */
const onAllFamilies: readonly SendingFailpoint[] = full
  ? [
      'api.transfer-signed',
      'api.transfer-sent',
      'api.transfer-recorded',
      'txmgr.counted',
      'txmgr.sent',
      'txmgr.reconciled',
    ]
  : ['api.transfer-sent', 'txmgr.sent']

/** Cases on Ethereum with a key signed here or by the client, and on the other chains. */
async function casesAt(name: SendingFailpoint): Promise<Case[]> {
  const cases: Case[] = [{ doomed: await doomedTransfer(stack, 'ethereum', name), scenario: scenarios[name] }]
  const signedByClient = submitted[name]
  if (signedByClient)
    cases.push({
      doomed: await doomedTransfer(stack, 'ethereum', `${name} submitted`),
      scenario: signedByClient,
    })
  if (!onAllFamilies.includes(name)) return cases
  for (const chain of otherChainNames)
    cases.push({ doomed: await doomedTransfer(stack, chain, name), scenario: scenarios[name] })
  return cases
}

/**
 * Failpoints that share a restart and a wait for the outcomes. API processes are killed at the same time;
 * workers and treasuries in turn, each successor finding the leftovers. A failpoint that is in no group is
 * alone: its scenario sets up what would disturb the others.
 */
const groups: readonly (readonly SendingFailpoint[])[] = [
  ['api.transfer-claimed', 'api.transfer-signed', 'api.transfer-recorded', 'api.transfer-prepared'],
  ['api.transfer-sent', 'api.transfer-queued', 'api.wallet-stored'],
  // The other order would leave a request that the second treasury signs first.
  ['treasury.transfer-signed', 'treasury.transfer-opened'],
  [
    'txmgr.resigned',
    'txmgr.reconciled',
    'txmgr.enqueued',
    'txmgr.planned',
    'txmgr.counted',
    'txmgr.sent',
    'txmgr.recorded',
  ],
]
const alone = sendingFailpoints.filter((name) => !groups.flat().includes(name))

test.each([...alone.map((name) => [name]), ...groups].map((names) => ({ names })))(
  'SIGKILL at $names: the transfer moves money once, or not if it was cancelled, is reported once, and leaves no work over',
  async ({ names }) => {
    const casesOf = new Map<SendingFailpoint, Case[]>()
    for (const name of names) casesOf.set(name, await casesAt(name))
    const cases = [...casesOf.values()].flat()
    const [{ process } = { process: 'api' as const }] = cases.map(({ scenario }) => scenario)
    for (const { doomed, scenario } of cases) await scenario.before?.(stack, doomed)
    if (process === 'api')
      await Promise.all([...casesOf].flatMap(([name, some]) => some.map((each) => killedAt(name, each))))
    else {
      await stack.stop(process)
      for (const [name, some] of casesOf) {
        // Only the case's own transfer is due.
        await stack.db.query(
          "update intents set next_reconcile_at = now() + interval '1 hour' where next_reconcile_at is not null",
        )
        for (const { doomed, scenario } of some) await scenario.stopped?.(stack, doomed)
        for (const each of some) await killedAt(name, each)
      }
    }
    for (const name of names) reached.add(name)
    if (process !== 'api') await stack.start(process)
    const ids = await Promise.all(cases.map(({ doomed, scenario }) => scenario.transfer(stack, doomed)))
    await expireLeases(stack)
    await Promise.all(
      cases.map(async ({ doomed, scenario }, at) => {
        const id = ids[at] ?? ''
        expect(await settledAt(stack, doomed.pair, id)).toMatchObject(endOf(scenario))
        await expectMovedOnce(doomed, scenario, id)
        await scenario.after?.(stack, doomed, id)
      }),
    )
    await Promise.all(cases.map(({ doomed, scenario }) => expectNextLands(doomed, scenario)))
    await expectNothingLeft(stack)
  },
  // A group starts ten workers, one after the other.
  400_000,
)

/**
 * Makes a process do its part of a transfer and be killed there. A doomed API runs next to the regular one.
 */
async function killedAt(name: SendingFailpoint, { doomed, scenario }: Case): Promise<void> {
  const proof = join(proofs, doomed.key)
  const process = stack.launch(
    scenario.process,
    { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof },
    { as: doomed.key },
  )
  await readyOrOver(process)
  await scenario.cause(scenario.process === 'api' ? through(stack, process) : stack, doomed)
  await waitFor(`the kill at ${name}`, async () => !process.running())
  expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
  await scenario.killed?.(stack, doomed)
}

/** It may be killed before it is ready. Many start at the same time. */
const readyOrOver = (process: CowryProcess) =>
  Promise.race([process.ready(120_000).catch(() => {}), process.ended])

const endOf = ({ cancelled }: Scenario) =>
  cancelled ? { status: 'failed', reason: 'cancelled' } : { status: 'confirmed', reason: null }
const movedBy = ({ pair }: Doomed, { cancelled }: Scenario) => (cancelled ? 0n : unitsOf(stack, pair))

async function expectMovedOnce(doomed: Doomed, scenario: Scenario, id: string): Promise<void> {
  const { pair, others } = doomed
  expect(await heldBy(stack, pair, pair.to)).toBe(movedBy(doomed, scenario))
  expect(await sentBy(stack, pair)).toBe(others + 1)
  expect(await eventsOf(stack, id)).toEqual([`transfer.${endOf(scenario).status}`])
  expect(await transferOf(stack, id)).toMatchObject({ id, ...endOf(scenario) })
  expect(
    await stack.db.query("select id from intents where from_address = $1 and purpose = 'transfer'", [
      normalOf(pair),
    ]),
  ).toEqual([{ id }])
}

/** The next transfer of the same key is mined as well: no nonce was skipped. */
async function expectNextLands(doomed: Doomed, scenario: Scenario): Promise<void> {
  const { pair, others } = doomed
  const { status, body } = await sendWithKey(stack, pair)
  expect([status, body]).toMatchObject([201, { status: 'pending' }])
  await miningUntil(
    stack,
    pair.chain,
    'the next transfer',
    async () => (await rowOf(stack, body.id))?.status === 'confirmed',
  )
  expect(await heldBy(stack, pair, pair.to)).toBe(movedBy(doomed, scenario) + unitsOf(stack, pair))
  expect(await sentBy(stack, pair)).toBe(others + 2)
  if (pair.chain === 'ethereum') expect(await sequencesOf(stack, pair)).toEqual([others, others + 1])
  expect(await eventsOf(stack, body.id)).toEqual(['transfer.confirmed'])
}

const families: readonly ChainName[] = ['ethereum', ...otherChainNames]

test('two treasuries and two workers over one queue: each transfer is signed once, sent once, and mined once', async () => {
  const senders = await newSenders(stack, families, howMany(1, 4))
  await Promise.all([stack.stop('treasury'), stack.stop('worker')])
  await Promise.all(senders.map((sender) => queueTransfers(stack, sender, howMany(3, 6))))
  // Nothing is bumped while blocks wait for the slowest chain.
  const unhurried = { TXMGR_BUMP_AFTER_MS: '120000' }
  const second = (name: 'treasury' | 'worker') => stack.start(name, unhurried, { as: `second ${name}` })
  await Promise.all([
    stack.start('treasury'),
    second('treasury'),
    stack.start('worker', unhurried),
    second('worker'),
  ])
  await expectSentOnce(stack, senders)

  // Both had their part, so that the result is not that of one alone: one that started late has its part in
  // later transfers.
  const treasuries = ['treasury', 'second treasury'].map((name) => stack.processes.get(name))
  const workers = ['worker', 'second worker'].map((name) => stack.processes.get(name))
  const signatures = () =>
    Promise.all(treasuries.map((each) => metric(each, 'cowry_treasury_signatures_total', 'outcome="signed"')))
  const sends = () =>
    Promise.all(workers.map((each) => metric(each, 'cowry_txmgr_steps_total', 'step="sent"')))
  const parts = async () => [await signatures(), await sends()].flat()
  for (let rounds = 0; rounds < 10 && (await parts()).includes(0); rounds++) {
    await Promise.all(senders.map((sender) => queueTransfers(stack, sender, 2)))
    await expectSentOnce(stack, senders)
  }
  expect(await parts()).not.toContain(0)

  const count = senders.flatMap(({ transfers }) => transfers).length
  expect(await signaturesOf(stack, senders)).toEqual(Array.from({ length: count }, () => 1))
  expect((await signatures()).reduce((sum, each) => sum + each, 0)).toBe(count)
  await expectNothingLeft(stack)
  await stack.stop('worker')
})

/**
 * Steps of signing, sending and settling at which a process gets the signal to stop. The long form adds more,
 * and each family alone.
 */
const stops: readonly SendingFailpoint[] = full
  ? [
      'treasury.transfer-opened',
      'treasury.transfer-signed',
      'txmgr.planned',
      'txmgr.counted',
      'txmgr.sent',
      'txmgr.recorded',
      'txmgr.reconciled',
    ]
  : ['treasury.transfer-opened', 'txmgr.counted', 'txmgr.reconciled']
const rounds: readonly (readonly ChainName[])[] = full
  ? [families, ...families.map((chain) => [chain])]
  : [families]

test.each(stops.flatMap((name) => rounds.map((chains) => ({ name, chains }))))(
  'SIGTERM at $name with transfers on $chains under way: the process finishes its step and ends in time, and its successor the rest',
  async ({ name, chains }) => {
    const program = name.startsWith('treasury') ? 'treasury' : 'worker'
    const senders = await newSenders(stack, chains, 1)
    if (name !== 'txmgr.reconciled') await stack.stop(program)
    await Promise.all(senders.map((sender) => queueTransfers(stack, sender, 1)))
    if (name === 'txmgr.reconciled') {
      for (const { transfers } of senders)
        for (const { id } of transfers)
          await waitFor('a broadcast', async () => (await rowOf(stack, id))?.status === 'broadcast')
      await stack.stop(program)
      for (const chain of chains) await stack.mine(3, chain)
    }
    await terminatedAt(stack, program, name, join(proofs, `${name}-${chains.join('-')}`))
    await (program === 'treasury' ? expectNothingHalfSigned : expectNothingHalfSent)(stack, senders)
    await stack.start(program)
    await expectSentOnce(stack, senders)
    await expectNothingLeft(stack)
  },
)

test('every failpoint in the code was reached, and no delivery was forged', () => {
  expect([...reached].sort()).toEqual([...sendingFailpoints].sort())
  expect(stack.receiver.forged).toEqual([])
})
