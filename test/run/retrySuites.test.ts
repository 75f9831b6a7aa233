import { expect, test } from '@jest/globals'
import { argumentsOf, retrySuites } from '../../scripts/retrySuites.mjs'

type Outcome = 'passed' | 'failed'

const result = (name: string, status: Outcome, failure = `${name} broke`) => ({
  name,
  status,
  message: `the suite: ${failure}`,
  assertionResults:
    status === 'passed' ? [] : [{ status, fullName: `${name} promises`, failureMessages: [failure] }],
})
const reportOf = (testResults: ReturnType<typeof result>[]) => ({
  numTotalTestSuites: testResults.length,
  wasInterrupted: false,
  testResults,
})
const codeOf = (results: { status: Outcome }[]) =>
  results.every(({ status }) => status === 'passed') ? 0 : 1

/** Runs suites with these outcomes, first together and then alone. */
async function outcomeOf(suites: Record<string, [together: Outcome, alone?: Outcome]>) {
  const lines: string[] = []
  const retried: string[] = []
  const code = await retrySuites({
    say: (text: string) => void lines.push(text),
    run: async (file: string | null) => {
      if (file !== null) retried.push(file)
      const names = file === null ? Object.keys(suites) : [file]
      const results = names.map((name) => result(name, suites[name]?.[file === null ? 0 : 1] ?? 'passed'))
      return { code: codeOf(results), report: reportOf(results) }
    },
  })
  return { code, lines, retried, last: lines.at(-1) }
}

/** A run that ends like this, and a retry that passes. */
const endOf = async (code: number, report: object | null) => {
  const lines: string[] = []
  const run = async (file: string | null) =>
    file === null ? { code, report } : { code: 0, report: reportOf([result(file, 'passed')]) }
  return { code: await retrySuites({ say: (text: string) => void lines.push(text), run }), lines }
}

test('suites that pass are not run again', async () => {
  expect(await outcomeOf({ a: ['passed'], b: ['passed'] })).toMatchObject({
    code: 0,
    retried: [],
    last: '2 passed, 0 failed',
  })
})

test('a suite that passes alone has flickered: green, and its first failure is printed', async () => {
  const { code, lines, retried, last } = await outcomeOf({ a: ['passed'], b: ['failed', 'passed'] })
  expect({ code, retried, last }).toEqual({ code: 0, retried: ['b'], last: '2 passed, 0 failed' })
  expect(lines).toContain('flickered: b\n  b promises\nb broke')
})

test('a suite that fails twice is red, with any result of the others', async () => {
  const { code, lines, retried, last } = await outcomeOf({
    a: ['failed', 'passed'],
    b: ['failed', 'failed'],
    c: ['passed'],
  })
  expect({ code, retried, last }).toEqual({ code: 1, retried: ['a', 'b'], last: '2 passed, 1 failed' })
  expect(lines.filter((line) => line.startsWith('flickered'))).toHaveLength(1)
})

test('with more than 20 failed suites no suite is retried', async () => {
  const suites = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`s${i}`, ['failed', 'passed'] as [Outcome, Outcome]]),
    )
  expect(await outcomeOf(suites(21))).toMatchObject({ code: 1, retried: [], last: '0 passed, 21 failed' })
  expect(await outcomeOf(suites(20))).toMatchObject({ code: 0, last: '20 passed, 0 failed' })
})

test.each([
  ['that crashed', 1, null],
  ['that crashed and answers 0', 0, null],
  ['of no suite', 0, reportOf([])],
  ['that failed with no failed suite', 1, reportOf([result('a', 'passed')])],
  ['that was interrupted', 1, { ...reportOf([result('a', 'failed')]), wasInterrupted: true }],
])('a run %s is red', async (_, code, report) => {
  expect(await endOf(code, report)).toMatchObject({ code: 1 })
})

test.each([
  ['ran nothing', 0, reportOf([])],
  ['crashed', 1, null],
  ['ran another suite', 0, reportOf([result('b', 'passed')])],
  ['passed and still failed', 1, reportOf([result('a', 'passed')])],
])('a retry that %s is no pass', async (_, code, report) => {
  const run = async (file: string | null) =>
    file === null ? { code: 1, report: reportOf([result('a', 'failed')]) } : { code, report }
  expect(await retrySuites({ say: () => {}, run })).toBe(1)
})

test('a suite that did not start is retried, and its own message is printed', async () => {
  const broken = { ...result('a', 'failed', 'cannot find module'), assertionResults: [] }
  expect(await endOf(1, reportOf([broken as never]))).toMatchObject({
    code: 0,
    lines: expect.arrayContaining(['flickered: a\n  the suite: cannot find module']),
  })
})

test('a retry runs its suite alone, without the paths of the whole run', () => {
  const ends = ['--json', '--outputFile=r.json']
  expect(argumentsOf(['src/a', '--maxWorkers=2'], null, 'r.json')).toEqual([
    'src/a',
    '--maxWorkers=2',
    ...ends,
  ])
  expect(argumentsOf(['src/a', '--maxWorkers=2'], 'src/a/b.test.ts', 'r.json')).toEqual([
    '--runTestsByPath',
    'src/a/b.test.ts',
    ...ends,
  ])
})
