import { expect } from '@jest/globals'
import { readCursor } from '../../../indexers/cursor.ts'
import { assetsOf } from '../../../src/chains/registry.ts'
import { balanceOf } from '../../../src/ledger/balance.ts'
import { type Payment, settle } from '../../../src/sessions/settle.ts'
import { usdc } from '../../support/indexed.ts'
import { round } from './rounds.ts'
import { transfersOf } from './tree.ts'
import { usdt, type World } from './world.ts'

// What must be true.

interface Expected {
  line: string
  payment: Payment
  sessionId: string
  /** The block was mined after the session was made, and a trace was not needed to see it. */
  promised: boolean
}

/** What the canonical chain pays to the sessions, by the tree alone. */
export function expectedOf(world: World, from: number): Expected[] {
  const { tree, chain } = world
  const final = tree.tip().height - chain.confirmations + 1
  const sessions = new Map(world.sessions.map((session) => [session.address, session]))
  const symbols = new Map<string | null, string>([
    [usdc, 'USDC'],
    [usdt, 'USDT'],
    [null, 'ETH'],
  ])
  return tree
    .blocks()
    .filter(({ height }) => height >= from)
    .flatMap((block) =>
      transfersOf(block, (kind) => kind !== 'failed').flatMap(({ txId, movementKey, contract, to, amount }): Expected[] => {
        const [session, token] = [sessions.get(to), symbols.get(contract)]
        if (!session || !token) return []
        const status = block.height <= final ? 'confirmed' : 'seen'
        const line = [block.height, block.id, txId, movementKey, token, to, amount, session.id, status].join(' ')
        const payment: Payment = { detectionId: line, chain: chain.name, token, amount, blockTime: block.time, status, generation: 1, last: null }
        return [{ line, payment, sessionId: session.id, promised: session.born < block.born && !movementKey.startsWith('trace:') }]
      }),
    )
    .sort((a, b) => (a.line < b.line ? -1 : 1))
}

export async function detectedLines(world: World): Promise<string[]> {
  const rows = await world.db.query<{ line: string }>(
    `select concat_ws(' ', t.block_height, t.block_id, t.tx_id, t.movement_key, t.token, t.to_address, t.amount, d.subject_id, d.status) as line
     from detections d join transfers t on t.id = d.transfer_id where d.status <> 'reverted'`,
  )
  return rows.map(({ line }) => line).sort()
}

export async function firstCovered(world: World): Promise<number | null> {
  const [row] = await world.db.query<{ first: string | null }>('select lower(covered) as first from chain_cursors')
  return row?.first == null ? null : Number(row.first)
}

/**
 * Where nothing came in between, a round reaches the tip, unless that is still below what was read. A second one may be needed:
 * blocks that were fetched ahead before a provider failed may be of a branch that was given up since.
 */
export async function checkReached(world: World): Promise<void> {
  const tip = world.tree.tip()
  const before = await readCursor(world.db, world.chain.name)
  if (before && before.height > tip.height) return
  if (before?.id !== tip.id) {
    world.count('a second round was needed')
    await round(world)
  }
  expect(await readCursor(world.db, world.chain.name)).toEqual({ height: tip.height, id: tip.id })
}

/** Wherever the loop has reached the chain's tip, it has found all that was promised, nothing that is not there, and says what it read. */
export async function checkDetections(world: World): Promise<boolean> {
  const [cursor, first] = [await readCursor(world.db, world.chain.name), await firstCovered(world)]
  if (!cursor || first === null || cursor.id !== world.tree.tip().id) return false
  const expected = expectedOf(world, first)
  const detected = await detectedLines(world)
  const known = new Set(detected)
  // What was confirmed stays so when the chain becomes shorter above it.
  const was = (line: string) => known.has(line) || (world.tree.highest() > cursor.height && known.has(line.replace(/seen$/, 'confirmed')))
  expect(expected.filter(({ line, promised }) => promised && !was(line)).map(({ line }) => line)).toEqual([])
  const lines = new Set(expected.flatMap(({ line }) => (was(line) && !known.has(line) ? [line.replace(/seen$/, 'confirmed')] : [line])))
  expect(detected.filter((line) => !lines.has(line))).toEqual([])
  const [record] = await world.db.query('select covered::text, traced <@ covered as within from chain_cursors')
  expect(record).toEqual({ covered: `{[${first},${cursor.height + 1})}`, within: true })
  return true
}

async function balances(world: World, token: string): Promise<Record<'pending' | 'available', bigint>> {
  const of = (name: 'pending' | 'available') => balanceOf(world.db, { name, businessId: world.business.id, asset: `${world.chain.name}:${token}` })
  return { pending: await of('pending'), available: await of('available') }
}

export async function checkSessions(world: World, expected: readonly Expected[]): Promise<void> {
  const { chain, db, tree } = world
  const confirmedTime = tree.at(tree.tip().height - chain.confirmations + 1)?.time ?? null
  const model = new Map(
    world.sessions.map((session) => {
      const payments = expected.filter(({ sessionId }) => sessionId === session.id).map(({ payment }) => payment)
      const state = { ...session, status: 'pending' as const, chain: chain.name, token: 'USDC', amountExpected: session.amount, amountSettled: 0n }
      return [session.id, settle(state, payments, confirmedTime)]
    }),
  )
  const rows = await db.query<{ id: string; status: string; exception: string; amount_received: string; amount_settled: string }>(
    'select id, status, exception, amount_received, amount_settled from pos_sessions order by id',
  )
  expect(rows).toEqual(
    [...model.entries()]
      .map(([id, { status, exception, amountReceived, amountSettled }]) => ({
        id,
        status,
        exception,
        amount_received: amountReceived.toString(),
        amount_settled: amountSettled.toString(),
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  )
  for (const { status, exception } of rows) {
    world.count(`ends ${status}`)
    world.count(`ends ${exception}`)
  }

  for (const { symbol } of assetsOf(chain)) {
    const should = { pending: 0n, available: 0n }
    for (const { payment, sessionId } of expected) {
      if (payment.token !== symbol || payment.status !== 'confirmed') continue
      should[model.get(sessionId)?.status === 'pending' ? 'pending' : 'available'] += payment.amount
    }
    expect({ symbol, ...(await balances(world, symbol)) }).toEqual({ symbol, ...should })
  }
  const [told] = await db.query<{ paid: number; gaps: number }>(
    `select (count(*) filter (where type = 'session.paid') - count(*) filter (where type = 'session.reversed'))::int as paid,
       (coalesce(max(sequence), 0) - count(*))::int as gaps from events`,
  )
  expect(told).toEqual({ paid: rows.filter(({ status }) => status === 'paid').length, gaps: 0 })
}
