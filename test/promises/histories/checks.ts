import { expect } from '@jest/globals'
import { readCursor } from '../../../indexers/cursor.ts'
import { assetsOf } from '../../../src/chains/registry.ts'
import { balanceOf } from '../../../src/ledger/balance.ts'
import { type Payment, settle } from '../../../src/sessions/settle.ts'
import { round } from './rounds.ts'
import type { TreeBlock } from './tree.ts'
import type { World } from './world.ts'

// The invariants.

interface Expected {
  line: string
  payment: Payment
  sessionId: string
  /** The block was mined after the session was created, and is visible without traces. */
  promised: boolean
}

/** The newest final block by the chain's own rule: by its tag, or by its depth. */
export function confirmedBlock({ tree, chain }: World): TreeBlock | null {
  return chain.byFinalizedTag ? tree.final() : tree.at(tree.tip().height - chain.confirmations + 1)
}

/** Payments of the canonical chain to sessions and suspense addresses, from the tree alone. */
export function expectedOf(world: World, from: number): Expected[] {
  const { tree, chain, dialect, suspense } = world
  const final = confirmedBlock(world)?.height ?? -1
  const sessions = new Map(world.sessions.map((session) => [session.address, session]))
  const symbols = new Map(assetsOf(chain).map(({ contract, symbol }) => [contract, symbol]))
  return tree
    .blocks()
    .filter(({ height }) => height >= from)
    .flatMap((block) =>
      dialect.transfersOf(block).flatMap(({ txId, movementKey, contract, to, amount }): Expected[] => {
        const [session, token] = [sessions.get(to), symbols.get(contract)]
        const subjectId = session?.id ?? (suspense?.addresses.has(to) ? suspense.subjectId : undefined)
        if (!subjectId || !token) return []
        const status = block.height <= final ? 'confirmed' : 'seen'
        const line = [block.height, block.id, txId, movementKey, token, to, amount, subjectId, status].join(
          ' ',
        )
        const payment: Payment = {
          detectionId: line,
          chain: chain.name,
          token,
          amount,
          blockTime: block.time,
          status,
          generation: 1,
          last: null,
        }
        const needsTrace = chain.family === 'evm' && movementKey.startsWith('trace:')
        return [
          { line, payment, sessionId: subjectId, promised: (session?.born ?? 0) < block.born && !needsTrace },
        ]
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
  const [row] = await world.db.query<{ first: string | null }>(
    'select lower(covered) as first from chain_cursors',
  )
  return row?.first == null ? null : Number(row.first)
}

/** Maximum further rounds: blocks are read in batches, and some arrive late. */
const maxRounds = 12

/**
 * Without interruptions a round reaches the tip, unless the tip is below what was read. Further rounds may be
 * needed: blocks prefetched before a provider failed may be of an abandoned branch, and a round ends at each
 * block that a node has later than the next one.
 */
export async function checkReached(world: World): Promise<void> {
  const tip = world.tree.tip()
  let before = await readCursor(world.db, world.chain.name)
  if (before && before.height > tip.height) return
  for (let more = 0; before?.id !== tip.id && more < maxRounds; more++) {
    world.count('further round needed')
    await round(world)
    before = await readCursor(world.db, world.chain.name)
  }
  expect(await readCursor(world.db, world.chain.name)).toEqual({ height: tip.height, id: tip.id })
}

/**
 * If the loop has reached the tip, it has detected every promised payment and nothing more, and its cursor
 * has what it read.
 */
export async function checkDetections(world: World): Promise<boolean> {
  const [cursor, first] = [await readCursor(world.db, world.chain.name), await firstCovered(world)]
  if (!cursor || first === null || cursor.id !== world.tree.tip().id) return false
  const expected = expectedOf(world, first)
  const detected = await detectedLines(world)
  const known = new Set(detected)
  // Confirmed payments stay confirmed when the chain becomes shorter.
  const matches = (line: string) =>
    known.has(line) || (world.tree.highest() > cursor.height && known.has(line.replace(/seen$/, 'confirmed')))
  expect(expected.filter(({ line, promised }) => promised && !matches(line)).map(({ line }) => line)).toEqual(
    [],
  )
  const lines = new Set(
    expected.flatMap(({ line }) =>
      matches(line) && !known.has(line) ? [line.replace(/seen$/, 'confirmed')] : [line],
    ),
  )
  expect(detected.filter((line) => !lines.has(line))).toEqual([])
  const [record] = await world.db.query(
    'select covered::text, traced <@ covered as within from chain_cursors',
  )
  expect(record).toEqual({ covered: `{[${first},${cursor.height + 1})}`, within: true })
  return true
}

async function balances(world: World, token: string): Promise<Record<'pending' | 'available', bigint>> {
  const of = (name: 'pending' | 'available') =>
    balanceOf(world.db, { name, businessId: world.business.id, asset: `${world.chain.name}:${token}` })
  return { pending: await of('pending'), available: await of('available') }
}

export const inSuspense = ({ db, chain }: Pick<World, 'db' | 'chain'>, token: string) =>
  balanceOf(db, { name: 'suspense', businessId: null, asset: `${chain.name}:${token}` })

export async function checkSessions(world: World, expected: readonly Expected[]): Promise<void> {
  const { chain, db, suspense } = world
  const confirmedTime = confirmedBlock(world)?.time ?? null
  const model = new Map(
    world.sessions.map((session) => {
      const payments = expected
        .filter(({ sessionId }) => sessionId === session.id)
        .map(({ payment }) => payment)
      const asked = {
        chain: chain.name,
        token: 'USDC',
        amountExpected: session.amount,
        minAmount: session.amount,
        amountSettled: 0n,
        excessAbove: session.amount,
        isAccepted: false,
      }
      const state = { ...session, ...asked, status: 'pending' as const }
      return [session.id, settle(state, payments, confirmedTime)]
    }),
  )
  const rows = await db.query<{
    id: string
    status: string
    exception: string
    amount_received: string
    amount_settled: string
  }>('select id, status, exception, amount_received, amount_settled from pos_sessions order by id')
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
    const due = { pending: 0n, available: 0n }
    for (const { payment, sessionId } of expected) {
      if (payment.token !== symbol || payment.status !== 'confirmed' || sessionId === suspense?.subjectId)
        continue
      due[model.get(sessionId)?.status === 'pending' ? 'pending' : 'available'] += payment.amount
    }
    // What came beyond what was requested is held.
    for (const { id, amount } of symbol === 'USDC' ? world.sessions : []) {
      const { status, amountSettled = 0n } = model.get(id) ?? {}
      if (status !== 'paid' || amountSettled <= amount) continue
      due.available -= amountSettled - amount
      due.pending += amountSettled - amount
    }
    expect({ symbol, ...(await balances(world, symbol)) }).toEqual({ symbol, ...due })
    const undirected = expected.filter(
      ({ payment, sessionId }) => payment.token === symbol && sessionId === suspense?.subjectId,
    )
    if (undirected.length > 0) world.count('ends in suspense')
    const held = undirected.reduce(
      (sum, { payment }) => sum + (payment.status === 'confirmed' ? payment.amount : 0n),
      0n,
    )
    expect({ symbol, suspense: await inSuspense(world, symbol) }).toEqual({
      symbol,
      suspense: (world.suspenseBefore.get(symbol) ?? 0n) + held,
    })
  }
  // Each payment has as many entries as it counts, numbered from one.
  const miscounted = await db.query(
    `select p.detection_id, p.entries, array_agg(e.step order by e.step) as steps
     from session_payments p left join ledger_entries e on e.reference = p.detection_id::text and e.cause_kind = 'session_payment'
     group by p.detection_id having count(e.id) <> p.entries or coalesce(max(e.step), 0) <> p.entries`,
  )
  expect(miscounted).toEqual([])
  const [moved] = await db.query<{ often: number }>(
    'select count(*)::int as often from session_payments where entries > 2 * generation',
  )
  if (moved?.often) world.count('moved to and fro within a generation', moved.often)
  const [counts] = await db.query<{ paid: number; gaps: number }>(
    `select (count(*) filter (where type = 'session.paid') - count(*) filter (where type = 'session.reversed'))::int as paid,
       (coalesce(max(sequence), 0) - count(*))::int as gaps from events`,
  )
  expect(counts).toEqual({ paid: rows.filter(({ status }) => status === 'paid').length, gaps: 0 })
}
