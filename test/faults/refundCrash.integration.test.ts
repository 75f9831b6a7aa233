import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { balanceOf } from '../../src/ledger/balance.ts'
import { tokenAsset } from '../../src/ledger/entry.ts'
import { readOutflows } from '../../src/outflows/outflow.ts'
import { outflowMessage } from '../../src/outflows/outflowProof.ts'
import type { PayoutFailpoint } from '../../src/platform/failpoints.ts'
import { proofs } from '../support/intentKeys.ts'
import { makePaidSession, someAddress } from '../support/madeRefunds.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { through } from './sending.ts'

// The api is killed right after it has stored a refund, and right after a customer has named the address.
// Nothing is lost, and nothing is done twice.

let stack: Stack
const files = mkdtempSync(join(tmpdir(), 'cowry-refunds-'))

beforeAll(async () => {
  stack = await createStack({ processes: ['api'] })
})
afterAll(async () => {
  await stack?.close()
  rmSync(files, { recursive: true })
})

type RefundFailpoint = Extract<PayoutFailpoint, `api.refund-${string}`>

/** Sends a request to an api that is killed at a failpoint. */
async function killedAt(name: RefundFailpoint, request: (doomed: Stack) => Promise<unknown>): Promise<void> {
  const proof = join(files, name)
  const doomed = stack.launch(
    'api',
    { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof },
    { as: `doomed ${name}` },
  )
  await doomed.ready()
  await expect(request(through(stack, doomed))).rejects.toThrow()
  await waitFor(`the kill at ${name}`, async () => !doomed.running())
  expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
}

interface Refund {
  id: string
  status: string
  toAddress: string | null
  claimUrl?: string
}
const heldNow = () =>
  balanceOf(stack.db, {
    name: 'payouts_held',
    businessId: stack.businessId,
    asset: tokenAsset('ethereum', 'USDC'),
  })
const outflowsOf = (sessionId: string) => readOutflows(stack.db, 'session_id = $1', [sessionId])

const cases: Record<RefundFailpoint, () => Promise<void>> = {
  async 'api.refund-stored'() {
    const session = await makePaidSession(stack.db, stack.businessId, 10)
    const before = await heldNow()
    const toAddress = someAddress()
    const ask = (at: Stack, to = toAddress) =>
      at.api<Refund>(
        'POST',
        `/pos/sessions/${session.id}/refunds`,
        { kind: 'whole', toAddress: to },
        { 'idempotency-key': session.id },
      )
    await killedAt('api.refund-stored', ask)
    const again = await ask(stack)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect((await outflowsOf(session.id)).map(({ id, status }) => [id, status])).toEqual([
      [again.body.id, 'pending'],
    ])
    expect((await heldNow()) - before).toBe(10_000_000n)
    // The same key for another refund.
    expect((await ask(stack, someAddress())).status).toBe(422)
  },
  async 'api.refund-claimed'() {
    const session = await makePaidSession(stack.db, stack.businessId, 10)
    const { body } = await stack.api<Refund>('POST', `/pos/sessions/${session.id}/refunds`, {
      kind: 'whole',
      claim: true,
    })
    const token = body.claimUrl?.split('#')[1]
    const [before, toAddress] = [await heldNow(), someAddress()]
    await killedAt('api.refund-claimed', (at) => at.api('POST', '/refund-claims', { token, toAddress }))
    const again = await stack.api('POST', '/refund-claims', { token, toAddress: someAddress() })
    expect([again.status, again.body.error]).toEqual([410, 'claim_over'])
    const [outflow, ...others] = await outflowsOf(session.id)
    expect([outflow?.status, outflow?.wallet?.address, others]).toEqual(['pending', toAddress, []])
    const [row] = await stack.db.query<{ proof: Buffer }>('select proof from outflows where id = $1', [
      body.id,
    ])
    expect(outflow && row && proofs.api.verifies(outflowMessage(outflow), row.proof)).toBe(true)
    expect(await heldNow()).toBe(before)
  },
}

test.each(Object.entries(cases))('%s', (_name, run) => run())
