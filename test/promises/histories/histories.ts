import fc from 'fast-check'
import type { Dialect } from './dialect.ts'
import type { Fault } from './leader.ts'
import type { Step, StepKind } from './steps.ts'

// Random histories.

export interface History {
  confirmations: number
  fromHead: boolean
  steps: Step[]
}

const weighted = <T>(of: readonly (readonly [number, T])[]) =>
  fc.oneof(...of.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })))

const faults: fc.Arbitrary<Fault> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: weighted<Fault['kind']>([
        [4, 'change'],
        [2, 'crash'],
        [1, 'freeze'],
        [1, 'fail'],
      ]),
      at: fc.constant('any' as const),
      after: fc.nat(9),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      at: fc.constantFrom('begin' as const, 'commit' as const, 'committed' as const),
      after: fc.nat(1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('freeze' as const),
      at: fc.constant('begin' as const),
      after: fc.nat(1),
    }),
  },
)

const everything: readonly (readonly [number, StepKind])[] = [
  [8, 'mine'],
  [2, 'many'],
  [5, 'fork'],
  [3, 'back'],
  [2, 'session'],
  [3, 'late'],
  [3, 'rescan'],
  [1, 'restart'],
  [1, 'tracer'],
]

/** Histories of a family: without forks on chains without forks; tracers and reported heads only on EVM. */
export function historiesOf({ family, finalDepth }: Dialect): fc.Arbitrary<History> {
  const never: StepKind[] = [
    ...(finalDepth === 0 ? (['fork', 'back'] as const) : []),
    ...(family === 'evm' ? [] : (['tracer'] as const)),
  ]
  const steps: fc.Arbitrary<Step> = fc.record({
    what: weighted(everything.filter(([, what]) => !never.includes(what))),
    seed: fc.nat(2 ** 31),
    fault: fc.option(faults, { freq: 2 }),
    headReported: family === 'evm' ? fc.boolean() : fc.constant(false),
    jobs: weighted<Step['jobs']>([
      [1, 'none'],
      [1, 'some'],
      [2, 'all'],
    ]),
  })
  return fc.record({
    confirmations: fc.integer({ min: 1, max: 3 }),
    fromHead: weighted([
      [3, false],
      [1, true],
    ]),
    steps: fc.array(steps, { minLength: 14, maxLength: 22 }),
  })
}
