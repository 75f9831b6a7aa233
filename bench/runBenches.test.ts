import { describe, expect, test } from '@jest/globals'
import { recordedBlocks } from './recordedBlocks.ts'
import type { Figure, Report } from './report.ts'
import { createRun, missingNeeds, type NamedBench, runBenches } from './runBenches.ts'
import { createScope } from './scope.ts'

const figure = (what: string): Figure => ({ bench: 'test', what, median: '1', range: '', ratio: '', aim: '' })
const report = (what: string): Report => ({ figures: [figure(what)], notes: [`about ${what}`] })
const good = (name: string): NamedBench => ({ name, measure: async () => report(name) })
const failing = (name: string, error = new Error('out of luck')): NamedBench => ({ name, measure: () => Promise.reject(error) })

async function outcomeOf(benches: readonly NamedBench[], run = createRun(() => {})) {
  await runBenches(run, benches, createScope())
  return { figures: run.figures.map(({ what }) => what), notes: run.notes, failures: run.failures }
}

describe('a run', () => {
  test('has the figures of every bench, in their order', async () => {
    expect(await outcomeOf([good('a'), good('b')])).toEqual({ figures: ['a', 'b'], notes: ['a: about a', 'b: about b'], failures: [] })
  })

  test('keeps what was measured before and after a bench that fails, and names that one', async () => {
    const { figures, notes, failures } = await outcomeOf([good('a'), failing('b'), good('c')])
    expect(figures).toEqual(['a', 'c'])
    expect(failures).toEqual([{ name: 'b', reason: 'out of luck' }])
    expect(notes).toContain('b: FAILED, what it had not measured yet is missing: out of luck')
  })

  test('keeps what a bench had measured before it failed', async () => {
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

  test('closes what a bench opened before the next one begins, also when it failed', async () => {
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

  test('begins no further bench once it was stopped', async () => {
    const run = createRun(() => {})
    const stopping: NamedBench = {
      name: 'a',
      async measure() {
        run.stopped = true
        throw new Error('its database is gone')
      },
    }
    expect(await outcomeOf([good('before'), stopping, good('b')], run)).toMatchObject({ figures: ['before'], failures: [] })
  })
})

describe('what benches need', () => {
  test('is checked for all of them, with a line for each need that is not met', async () => {
    const lacking = (what: string) => ({
      check() {
        throw new Error(`${what} is missing; install it`)
      },
    })
    const benches = [
      { ...good('a'), needs: [lacking('a hammer'), { check: async () => {} }] },
      good('b'),
      { ...good('c'), needs: [{ check: () => Promise.reject(new Error('no network')) }] },
    ]
    expect(await missingNeeds(benches, createScope())).toEqual(['a cannot run: a hammer is missing; install it', 'c cannot run: no network'])
    expect(await missingNeeds([good('b')], createScope())).toEqual([])
  })

  test('includes recorded blocks, which the repository has', async () => {
    expect(await missingNeeds([{ ...good('a'), needs: [recordedBlocks] }], createScope())).toEqual([])
  })
})
