import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { howMany } from '../../../test/support/full.ts'
import { type NativeRoot, partsOf } from './nativeParts.ts'
import { hasFailed, isOpen, type StakeMove } from './stakeMoves.ts'

const at = new Date('2026-12-01T00:00:00Z')
const root: NativeRoot = { id: 'root', stakedAmount: 1000n, confirmedAt: at, reason: null }

/** A chain that carries transactions out one after the other, and the stakes as they are requested. */
interface World {
  rootStatus: StakeMove['status']
  moves: StakeMove[]
}

const rootOf = ({ rootStatus }: World): NativeRoot => ({
  ...root,
  confirmedAt: rootStatus === 'confirmed' ? at : null,
  reason: hasFailed({ status: rootStatus }) ? rootStatus : null,
})

/** What the accounts of the chain hold: of the transactions in its blocks, in their order. */
function held({ rootStatus, moves }: World): Map<string, bigint> {
  const accounts = new Map<string, bigint>()
  if (rootStatus !== 'confirmed') return accounts
  accounts.set(root.id, root.stakedAmount)
  for (const { stakeId, restId, restAmount, status } of moves) {
    const amount = accounts.get(stakeId)
    if (status !== 'confirmed' || amount === undefined || restId === null || restAmount === null) continue
    accounts.set(stakeId, amount - restAmount)
    accounts.set(restId, restAmount)
  }
  return accounts
}

const splitting = (world: World, which: number, share: number): void => {
  const parts = [...partsOf(rootOf(world), world.moves)].filter(
    ([, { reason, amount }]) => reason === null && amount > 1n,
  )
  const [stakeId, part] = parts[which % parts.length] ?? []
  if (stakeId === undefined || !part) return
  const restAmount = 1n + (BigInt(share) * (part.amount - 2n)) / 100n
  const id = `rest ${world.moves.length}`
  world.moves.push({
    intentId: id,
    stakeId,
    kind: 'unstake',
    restId: id,
    restAmount,
    amount: null,
    status: 'broadcast',
    reason: null,
    blockHeight: null,
  })
}

const statuses = ['broadcast', 'unknown', 'confirmed', 'failed', 'expired'] as const

/** The transactions follow each other on the chain; rows of some may be behind. */
function change(world: World, which: number, status: (typeof statuses)[number]): void {
  const move = world.moves[which % (world.moves.length + 1)]
  if (move) move.status = status
  else world.rootStatus = status
}

/** No transaction is in a block without the one before it: what cannot be has failed. */
function settle(world: World): void {
  if (world.rootStatus !== 'confirmed' && !hasFailed({ status: world.rootStatus }))
    world.rootStatus = 'confirmed'
  const exists = new Set(world.rootStatus === 'confirmed' ? [root.id] : [])
  for (const move of world.moves) {
    if (!exists.has(move.stakeId)) move.status = 'expired'
    else if (isOpen(move)) move.status = 'confirmed'
    if (move.status === 'confirmed' && move.restId !== null) exists.add(move.restId)
  }
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('split' as const), which: fc.nat(50), share: fc.nat(100) }),
  fc.record({
    kind: fc.constant('change' as const),
    which: fc.nat(50),
    status: fc.constantFrom(...statuses),
  }),
  fc.record({ kind: fc.constant('settle' as const) }),
)

describe('the parts of a native stake', () => {
  test('always sum to what was staked, and are what the chain holds, in any order of splits, forks and failures', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const world: World = { rootStatus: 'confirmed', moves: [] }
        for (const each of [...steps, { kind: 'settle' as const }]) {
          if (each.kind === 'split') splitting(world, each.which, each.share)
          if (each.kind === 'change') change(world, each.which, each.status)
          if (each.kind === 'settle') settle(world)
          const parts = partsOf(rootOf(world), world.moves)
          const live = [...parts].filter(([, { reason }]) => reason === null)
          const sum = live.reduce((total, [, { amount }]) => total + amount, 0n)
          expect(sum).toBe(hasFailed({ status: world.rootStatus }) ? 0n : root.stakedAmount)
          if (each.kind !== 'settle') continue
          expect(new Map(live.map(([id, { amount }]) => [id, amount]))).toEqual(held(world))
          expect(live.every(([, { confirmedAt }]) => confirmedAt === at)).toBe(true)
        }
      }),
      { numRuns: howMany(300, 20_000) },
    )
  })

  test('a stake that fails and succeeds after all has what it had', () => {
    const split = (status: StakeMove['status']): StakeMove => ({
      ...{
        intentId: 'i',
        stakeId: 'root',
        kind: 'unstake',
        restId: 'rest',
        restAmount: 400n,
        amount: null,
        status,
        reason: null,
        blockHeight: null,
      },
    })
    expect(
      partsOf({ ...root, confirmedAt: null, reason: 'expired' }, [split('expired')]).get('rest'),
    ).toEqual({
      ...{ amount: 400n, confirmedAt: null, reason: 'expired' },
    })
    expect(partsOf(root, [split('expired')]).get('root')?.amount).toBe(1000n)
    expect(partsOf(root, [split('broadcast')]).get('rest')).toEqual({
      amount: 400n,
      confirmedAt: null,
      reason: null,
    })
    expect(partsOf(root, [split('confirmed')])).toEqual(
      new Map([
        ['root', { amount: 600n, confirmedAt: at, reason: null }],
        ['rest', { amount: 400n, confirmedAt: at, reason: null }],
      ]),
    )
  })
})
