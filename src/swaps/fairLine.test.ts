import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createFairLine } from './fairLine.ts'

const of = (...businesses: string[]) => ({ businesses: () => businesses })
const nextOf = (line: ReturnType<typeof createFairLine>) => [...(line.next()?.businesses() ?? [])].join()

test('property: busy businesses get equal shares, however many streams each has; a quiet one waits one turn of each other at most', () => {
  const businesses = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(
      businesses,
      fc.nat(100),
      fc.array(fc.nat(60), { maxLength: 5 }),
      (streams, before, arrivals) => {
        const line = createFairLine()
        for (const [index, count] of streams.entries())
          for (let each = 0; each < count; each++) line.add(of(`busy ${index}`))
        const counts = new Map(streams.map((_, index) => [`busy ${index}`, 0]))
        let quietFor: number | null = null
        for (let turn = 0; turn < before + streams.length * 8; turn++) {
          if (arrivals.includes(turn) && quietFor === null) {
            line.add(of('quiet'))
            quietFor = 0
          }
          const name = nextOf(line)
          if (name === 'quiet') quietFor = null
          else {
            // A stream that had its turn waits for the next one.
            line.add(of(name))
            counts.set(name, (counts.get(name) ?? 0) + 1)
            if (quietFor !== null) quietFor++
          }
          expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(1)
          expect(quietFor ?? 0).toBeLessThanOrEqual(streams.length)
        }
      },
    ),
  )
})

test('a business that returns after each turn does not overtake those that wait', () => {
  const line = createFairLine()
  line.add(of('returning'))
  const order: string[] = []
  for (let turn = 0; turn < 6; turn++) {
    if (turn === 1) for (let each = 0; each < 9; each++) line.add(of('waiting'))
    order.push(nextOf(line))
    if (order.at(-1) === 'returning') line.add(of('returning'))
  }
  expect(order).toEqual(['returning', 'waiting', 'returning', 'waiting', 'returning', 'waiting'])
})

test('a stream of several businesses takes the turn of the one that has waited longest; within a business the first comes first', () => {
  const line = createFairLine<{ businesses: () => string[]; name: string }>()
  const add = (name: string, ...businesses: string[]) => line.add({ ...of(...businesses), name })
  add('1', 'many')
  add('2', 'many')
  add('3', 'many')
  add('shared', 'many', 'few')
  add('4', 'few')
  expect(Array.from({ length: 6 }, () => line.next()?.name)).toEqual([
    '1',
    'shared',
    '2',
    '4',
    '3',
    undefined,
  ])
})

test('those that wait no longer leave the line', () => {
  const line = createFairLine<{ businesses: () => string[]; isOver: boolean }>()
  const [over, other] = [
    { ...of('a'), isOver: true },
    { ...of('b'), isOver: false },
  ]
  line.add(over)
  line.add(other)
  expect(line.removeIf(({ isOver }) => isOver)).toEqual([over])
  expect([line.next(), line.next(), line.isEmpty()]).toEqual([other, null, true])
})
