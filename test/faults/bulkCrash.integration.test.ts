import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import type { CowryProcess } from '../../scripts/local/cowryProcess.ts'
import { registeredChain } from '../../src/chains/registry.ts'
import type { Failpoint } from '../../src/platform/failpoints.ts'
import { newId } from '../../src/platform/ids.ts'
import { heldOn } from '../support/chainBooks.ts'
import {
  addBusiness,
  addMember,
  addPerson,
  dashboard,
  type Headers,
  sessionOf,
  tokenOf,
} from '../support/dashboardSession.ts'
import { makeDestination } from '../support/madeDestination.ts'
import { owe, putIn } from '../support/paying.ts'
import { createStack, type ProgramName, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { payoutSuites } from './payoutFailpoints.ts'

/**
 * Processes are killed between the request of a batch, its approval and the release of each payout: each
 * leaves exactly once, and the books agree with the chain.
 */

let stack: Stack
let mining: NodeJS.Timeout
let businessId: string
let [requester, approver]: [Headers, Headers] = [{}, {}]
const proofs = mkdtempSync(join(tmpdir(), 'cowry-batches-'))
const reached = new Set<Failpoint>()
const addresses = Array.from({ length: 6 }, () => `0x${newId().replaceAll('-', '')}000000cd`)
const each = 5_000_000n
const treasuryMoney = 100_000_000n

beforeAll(async () => {
  stack = await createStack({ chains: ['ethereum'], separate: true })
  const [first, second] = [await addPerson(stack), await addPerson(stack)]
  businessId = await addBusiness(stack, first)
  await addMember(stack, businessId, 'owner', second)
  requester = await tokenOf(stack, first)
  approver = await tokenOf(stack, second)
  const { headers } = await sessionOf(stack, first)
  const set = { coolingOffHours: 24, approvalAbove: '10' }
  expect(
    (await dashboard(stack, 'PUT', `/businesses/${businessId}/payout-settings`, set, headers)).status,
  ).toBe(200)
  const [treasury] = await stack.db.query<{ address: string }>(
    "select address from treasury_addresses where family = 'evm'",
  )
  await stack.sendNative(treasury?.address as Address, 10n ** 19n)
  await stack.send(treasury?.address as Address, treasuryMoney)
  await stack.mine(2)
  const of = { db: stack.db, businessId, chain: registeredChain('ethereum') }
  await putIn(of, 'USDC', treasuryMoney)
  await putIn(of, 'ETH', 10n ** 19n)
  await owe(of, 'USDC', treasuryMoney)
  let isBusy = false
  mining = setInterval(() => {
    if (isBusy) return
    isBusy = true
    void stack.mine(1).finally(() => {
      isBusy = false
    })
  }, 150)
}, 180_000)
afterAll(async () => {
  clearInterval(mining)
  await stack?.close()
  rmSync(proofs, { recursive: true })
})

async function doomed(program: ProgramName, name: Failpoint): Promise<CowryProcess> {
  const proof = join(proofs, name)
  const process = stack.launch(
    program,
    { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof },
    { as: `${program} ${name}` },
  )
  await Promise.race([process.ready().catch(() => {}), process.ended])
  return process
}
async function wasKilled(process: CowryProcess, name: Failpoint): Promise<void> {
  await waitFor(`the kill at ${name}`, async () => !process.running())
  const proof = join(proofs, name)
  expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
  reached.add(name)
}
async function ask<T>(port: number | undefined, path: string, headers: Headers, body: object) {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as T }
}
const count = async (sql: string) =>
  (await stack.db.query<{ n: number }>(`select count(*)::int as n from ${sql}`))[0]?.n

test('SIGKILL after the request, after the approval and at the release: each payout leaves exactly once', async () => {
  const payouts: object[] = []
  for (const address of addresses)
    payouts.push({
      amount: '5',
      source: { chain: 'ethereum', token: 'USDC' },
      destination: { id: await makeDestination(stack.db, businessId, { address }) },
    })
  const headers = { ...requester, 'idempotency-key': newId() }
  await stack.stop('worker')
  await stack.stop('api')
  const storing = await doomed('api', 'api.batch-stored')
  await expect(ask(storing.port(), '/payout-batches', headers, { payouts })).rejects.toThrow()
  await wasKilled(storing, 'api.batch-stored')
  expect([await count('payout_batches'), await count('outflows')]).toEqual([1, addresses.length])

  const approving = await doomed('api', 'api.batch-approved')
  const again = await ask<{ id: string; revision: number; status: string }>(
    approving.port(),
    '/payout-batches',
    headers,
    { payouts },
  )
  expect([again.status, again.body.status]).toEqual([201, 'awaiting_approval'])
  expect(await count('outflows')).toBe(addresses.length)
  const { id, revision } = again.body
  await expect(
    ask(approving.port(), `/payout-batches/${id}/approve`, approver, { revision }),
  ).rejects.toThrow()
  await wasKilled(approving, 'api.batch-approved')
  expect(await count("approvals where decision = 'approved'")).toBe(addresses.length + 1)

  const releasing = await doomed('worker', 'payouts.intent-stored')
  await wasKilled(releasing, 'payouts.intent-stored')
  await stack.start('worker')
  await stack.db.query('update outflows set next_at = now() where next_at > now()')
  await waitFor(
    'the payouts',
    async () => (await count("outflows where status = 'completed'")) === addresses.length,
    60_000,
  )
  for (const address of addresses)
    expect([address, await heldOn(stack, 'ethereum', 'usdc', address)]).toEqual([address, each])
  expect(await count("intents where purpose = 'payout'")).toBe(addresses.length)
  const [held] = await stack.db.query<{ held: string }>(
    `select coalesce(sum(p.amount), 0)::text as held from ledger_accounts a join ledger_postings p on p.account_id = a.id
     where a.business_id = $1 and a.name = 'payouts_held'`,
    [businessId],
  )
  expect(held?.held).toBe('0')
  await stack.start('api')
  const port = stack.processes.get('api')?.port()
  const done = await fetch(`http://127.0.0.1:${port}/api/v1/payout-batches/${id}`, { headers: requester })
  expect(await done.json()).toMatchObject({ status: 'completed', counts: { completed: addresses.length } })
}, 240_000)

test('every failpoint of batches was reached', () => {
  const own: readonly string[] = payoutSuites['bulkCrash.integration.test.ts']
  expect([...reached].filter((name) => own.includes(name)).toSorted()).toEqual([...own].toSorted())
})
