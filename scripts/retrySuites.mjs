/** More failed suites than this are not retried: it is no accident then. */
const maxRetried = 20

/**
 * The arguments of Jest for a run. Those of the whole run may hold paths: a retry has not one of them.
 * @param {readonly string[]} args of the whole run
 * @param {string | null} file the suite that is retried; null: the whole run
 * @param {string} report where the result is written
 */
export const argumentsOf = (args, file, report) => [
  ...(file === null ? args : ['--runTestsByPath', file]),
  '--json',
  `--outputFile=${report}`,
]

/**
 * Runs suites, and each one that failed once more, alone, after the others ended.
 * @param {object} ctx
 * @param {(file: string | null) => Promise<{ code: number, report: object | null }>} ctx.run runs all suites,
 * or one; `report` is Jest's, null where
 *   the run ended without one
 * @param {(text: string) => void} ctx.say
 * @returns {Promise<number>} the exit code: 0 where each suite passed, at first or alone
 */
export async function retrySuites({ run, say }) {
  const whole = await run(null)
  if (whole.report === null || whole.report.numTotalTestSuites === 0)
    return red(say, 'the run ended without a result')
  if (whole.report.wasInterrupted) return red(say, 'the run was interrupted')
  const failed = whole.report.testResults.filter(({ status }) => status === 'failed')
  const passed = whole.report.numTotalTestSuites - failed.length
  if (failed.length === 0)
    return whole.code === 0 ? ended(say, passed, 0) : red(say, 'the run failed, and no suite did')
  if (failed.length > maxRetried) {
    say(`${failed.length} suites failed: no suite is retried`)
    return ended(say, passed, failed.length)
  }
  const flickered = []
  for (const suite of failed) {
    say(`retry, alone: ${suite.name}`)
    if (hasPassed(await run(suite.name), suite.name)) flickered.push(suite)
  }
  for (const { name, ...result } of flickered) say(`flickered: ${name}\n${firstFailure(result)}`)
  return ended(say, passed + flickered.length, failed.length - flickered.length)
}

/** The suite ran and passed; a retry that ran nothing has not. */
function hasPassed({ code, report }, file) {
  const results = report?.testResults.filter(({ name }) => name === file) ?? []
  return (
    code === 0 && results.length === 1 && results[0].status === 'passed' && report.numTotalTestSuites === 1
  )
}

/** The first test that failed, with its message; that of the suite where no test did. */
function firstFailure({ message, assertionResults }) {
  const test = assertionResults.find(({ status }) => status === 'failed')
  return test ? `  ${test.fullName}\n${test.failureMessages[0] ?? ''}` : `  ${message}`
}

function red(say, why) {
  say(why)
  return 1
}

function ended(say, passed, failed) {
  say(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}
