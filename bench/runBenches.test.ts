import { describe, expect, test } from '@jest/globals'
import { recordedBlocks } from './recordedBlocks.ts'
import type { Figure, Report } from './report.ts'
import { createRun, missingNeeds, type NamedBench, runBenches } from './runBenches.ts'
import { createScope } from './scope.ts'

const figure = (what: string): Figure => ({ bench: 'test', what, median: '1', range: '', ratio: '', aim: '' })
const report = (what: string): Report => ({ figures: [figure(what)], notes: [`about ${what}`] })
const good = (name: string): NamedBench => ({ name, measure: async () => report(name) })
const failing = (name: string, error = new Error('measurement failed')): NamedBench => ({
  name,
  measure: () => Promise.reject(error),
})

async function outcomeOf(benches: readonly NamedBench[], run = createRun(() => {})) {
  await runBenches(run, benches, createScope())
  return { figures: run.figures.map(({ what }) => what), notes: run.notes, failures: run.failures }
}

describe('a run', () => {
  test('has the figures of every bench, in order', async () => {
    expect(await outcomeOf([good('a'), good('b')])).toEqual({
      figures: ['a', 'b'],
      notes: ['a: about a', 'b: about b'],
      failures: [],
    })
  })

  test('keeps the figures measured before and after a failing bench, and names that bench', async () => {
    const { figures, notes, failures } = await outcomeOf([good('a'), failing('b'), good('c')])
    expect(figures).toEqual(['a', 'c'])
    expect(failures).toEqual([{ name: 'b', reason: 'measurement failed' }])
    expect(notes).toContain('b: FAILED, its remaining figures are missing: measurement failed')
  })

  test('keeps the figures that a bench reported before it failed', async () => {
    const half: NamedBench = {
      name: 'half',
      async *measure() {
        yield report('first half')
        throw new Error('the second half failed', { cause: new Error('no room\nat all') })
      },
    }
    const { figures, failures } = await outcomeOf([half, good('b')])
    expect(figures).toEqual(['first half', 'b'])
    expect(failures).toEqual([{ name: 'half', reason: 'the second half failed: no room' }])
  })

  test('closes the resources of a bench before the next one starts, even after a failure', async () => {
    const order: string[] = []
    const opening = (name: string, error?: Error): NamedBench => ({
      name,
      async measure(scope) {
        order.push(`${name} begins`)
        scope.keep(null, async () => order.push(`${name} is closed`))
        if (error) throw error
        return report(name)
      },
    })
    await outcomeOf([opening('a', new Error('failed')), opening('b')])
    expect(order).toEqual(['a begins', 'a is closed', 'b begins', 'b is closed'])
  })

  test('starts no further bench after it was stopped', async () => {
    const run = createRun(() => {})
    const stopping: NamedBench = {
      name: 'a',
      async measure() {
        run.stopped = true
        throw new Error('its database was dropped')
      },
    }
    expect(await outcomeOf([good('before'), stopping, good('b')], run)).toMatchObject({
      figures: ['before'],
      failures: [],
    })
  })
})

describe('needs of benches', () => {
  test('are checked for all benches, with a line for each unmet need', async () => {
    const missing = (what: string) => ({
      check() {
        throw new Error(`${what} is missing; install it`)
      },
    })
    const benches = [
      { ...good('a'), needs: [missing('a hammer'), { check: async () => {} }] },
      good('b'),
      { ...good('c'), needs: [{ check: () => Promise.reject(new Error('no network')) }] },
    ]
    expect(await missingNeeds(benches, createScope())).toEqual([
      'a cannot run: a hammer is missing; install it',
      'c cannot run: no network',
    ])
    expect(await missingNeeds([good('b')], createScope())).toEqual([])
  })

  test('include recorded blocks, which the repository has', async () => {
    expect(await missingNeeds([{ ...good('a'), needs: [recordedBlocks] }], createScope())).toEqual([])
  })
})
