import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Address, erc20Abi, parseAbiItem } from 'viem'
import type { CowryProcess } from '../../scripts/local/cowryProcess.ts'
import { incomingFailpoints, sendingFailpoints, sweepFailpoints } from '../../src/capabilities.ts'
import type { Failpoint } from '../../src/platform/failpoints.ts'
import { howMany } from '../support/full.ts'
import { fund } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { expectNothingLeft } from './sending.ts'
import { expectSentOnce, newSenders, queueTransfers, type Sender, signaturesOf } from './sendingStop.ts'

/**
 * Two treasuries over one queue. One is killed at each step of signing, and is not started again: the other
 * does the rest.
 */

type TreasuryFailpoint = Extract<Failpoint, `treasury.${string}`>

/**
 * What is signed at a failpoint; null: the step prepares keys and addresses, and signs nothing (`crash`,
 * `sendingCrash`).
 */
const signedAt: Record<TreasuryFailpoint, 'transfer' | 'sweep' | null> = {
  'treasury.transfer-opened': 'transfer',
  'treasury.transfer-signed': 'transfer',
  'treasury.sweep-nonce-stored': 'sweep',
  'treasury.sweep-authorized': 'sweep',
  'treasury.seed-stored': null,
  'treasury.pool-filled': null,
  'treasury.pool-renewed': null,
  'treasury.wallet-key-stored': null,
}
const failpointsOf = (kind: 'transfer' | 'sweep') =>
  (Object.keys(signedAt) as TreasuryFailpoint[]).filter((name) => signedAt[name] === kind)
const rounds = howMany(1, 5)
const amount = 25_000_000n

let stack: Stack
let survivor: CowryProcess | undefined
let treasury: Address
const proofs = mkdtempSync(join(tmpdir(), 'cowry-treasuries-'))
const reached = new Set<Failpoint>()

beforeAll(async () => {
  stack = await createStack({ confirmations: 2, env: { TXMGR_BUMP_AFTER_MS: '120000' } })
  survivor = stack.processes.get('treasury')
  const [row] = await stack.db.query<{ address: Address }>(
    "select address from treasury_addresses where family = 'evm'",
  )
  treasury = row?.address ?? '0x'
  await stack.sendNative(treasury, 10n ** 19n)
  await stack.mine()
}, 120_000)
afterAll(async () => {
  await stack?.close()
  rmSync(proofs, { recursive: true })
})

const unsigned = async () => (await stack.db.query("select 1 from intents where status = 'created'")).length

/**
 * Runs a second treasury, and gives both work until it is killed at its failpoint. The first one takes a part
 * of the work.
 */
async function killSecond(
  name: TreasuryFailpoint,
  round: number,
  work: () => Promise<unknown>,
): Promise<void> {
  const proof = join(proofs, `${name}-${round}`)
  const second = stack.launch(
    'treasury',
    { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof },
    { as: `${name} ${round}` },
  )
  await Promise.race([second.ready().catch(() => {}), second.ended])
  for (const deadline = Date.now() + 60_000; second.running(); ) {
    if (Date.now() > deadline)
      throw new Error(`the second treasury did not reach ${name}\n${stack.troubles()}`)
    await work()
  }
  expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
  reached.add(name)
}

test('one of two treasuries is killed while it signs transfers: each is signed once and leaves once, and the other goes on', async () => {
  const senders: Sender[] = await newSenders(stack, ['ethereum'], 2)
  for (const { pair } of senders) await fund(stack, pair.from, { USDC: '1000' })
  for (let round = 0; round < rounds; round++)
    for (const name of failpointsOf('transfer')) {
      await killSecond(name, round, async () => {
        await Promise.all(senders.map((sender) => queueTransfers(stack, sender, 1)))
        await waitFor(
          'the signatures, or the rest of a treasury that was killed',
          async () => (await unsigned()) === 0,
        )
      })
      // Work that comes afterwards, too.
      await Promise.all(senders.map((sender) => queueTransfers(stack, sender, 1)))
    }
  await expectSentOnce(stack, senders)
  const count = senders.flatMap(({ transfers }) => transfers).length
  expect(await signaturesOf(stack, senders)).toEqual(Array.from({ length: count }, () => 1))
  await expectNothingLeft(stack)
  expect(survivor?.running()).toBe(true)
}, 300_000)

test('one of two treasuries is killed while it authorizes sweeps: each address is swept once, and the other goes on', async () => {
  const addresses: Address[] = []
  const sweepOne = async () => {
    const { id, address } = await stack.createSession({ token: 'USDC', amount: '25' })
    await stack.send(address, amount)
    await stack.mine(3)
    await stack.sessionIs(id, 'paid')
    addresses.push(address)
    await waitFor('the address among those to sweep', async () => {
      const forced = 'update sweep_sources set forced = true, next_at = now() where address = $1 returning 1'
      return (await stack.db.query(forced, [address.toLowerCase()])).length > 0
    })
  }
  const isSwept = async () => {
    await stack.mine(1)
    const done = await stack.db.query("select 1 from sweeps where status = 'done' and address = any($1)", [
      addresses.map((each) => each.toLowerCase()),
    ])
    return done.length === addresses.length
  }
  for (let round = 0; round < rounds; round++)
    for (const name of failpointsOf('sweep')) await killSecond(name, round, sweepOne)
  await waitFor('the sweeps', isSwept)
  for (const address of addresses) {
    const [left, moves] = await Promise.all([
      stack.client().readContract({
        address: stack.devnet.usdc,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [address],
      }),
      stack.client().getLogs({
        address: stack.devnet.usdc,
        event: parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)'),
        args: { from: address },
        fromBlock: 0n,
      }),
    ])
    expect([left, moves.map(({ args }) => [args.to?.toLowerCase(), args.value])]).toEqual([
      0n,
      [[treasury, amount]],
    ])
    // Of two that found the address due, one has stored the authorization.
    expect(
      await stack.db.query('select 1 from sweep_authorizations where from_address = $1', [
        address.toLowerCase(),
      ]),
    ).toHaveLength(1)
  }
  expect(survivor?.running()).toBe(true)
}, 300_000)

test('every failpoint of signing was reached, and the table names each failpoint of the treasury', () => {
  expect([...reached].sort()).toEqual([...failpointsOf('transfer'), ...failpointsOf('sweep')].sort())
  const all = [...incomingFailpoints, ...sendingFailpoints, ...sweepFailpoints].filter((name) =>
    name.startsWith('treasury.'),
  )
  expect(Object.keys(signedAt).sort()).toEqual(all.sort())
})
