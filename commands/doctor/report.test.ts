import { describe, expect, test } from '@jest/globals'
import { skewOf } from './checkClock.ts'
import { type Finding, type FindingState, findingsOf, merged } from './finding.ts'
import { hideSecrets } from './hideSecrets.ts'
import { asJson, asText, exitCodeOf } from './report.ts'

const finding = (state: FindingState): Finding => ({
  area: 'redis',
  of: 'api',
  state,
  code: state,
  text: `it is ${state}`,
  cure: 'Do this.',
})

describe('the exit code', () => {
  test.each<[FindingState[], number]>([
    [[], 0],
    [['ok', 'advice'], 0],
    [['ok', 'fault'], 1],
    [['fault', 'unchecked'], 2],
  ])('of %j is %d', (states, code) => {
    const findings = states.map(finding)
    expect(exitCodeOf(findings)).toBe(code)
    expect(JSON.parse(asJson(findings))).toMatchObject({ ok: code === 0 })
  })
})

test('the text reports that a check did not run', () => {
  expect(asText([finding('unchecked'), finding('advice')])).toContain(
    'no faults, 1 piece of advice, 1 not checked.',
  )
})

describe('the same finding of several parts', () => {
  const { fault } = findingsOf('database')

  test('is one, that names them all', () => {
    expect(
      merged([
        fault('api', 'down', 'It is down', 'Start it.'),
        fault('worker', 'down', 'It is down', 'Start it.'),
      ]),
    ).toEqual([fault('api, worker', 'down', 'It is down', 'Start it.')])
  })

  test('stays apart where their cures differ', () => {
    expect(
      merged([fault('api', 'down', 'It is down', 'Set A.'), fault('worker', 'down', 'It is down', 'Set B.')]),
    ).toHaveLength(2)
  })
})

describe('a text with secrets of the environment', () => {
  const hide = hideSecrets({
    APP_KEY: 'c2VjcmV0LW9mLXRoZS1hcHA=',
    API_INTENT_PUBLIC_KEYS: 'cHVibGljLWtleQ==',
    DATABASE_URL: 'postgresql://cowry:p%40ssword-1@db.example:5432/cowry',
    ETHEREUM_RPC_URLS: 'https://one.example/v2/0123456789abcdef,https://two.example/?apikey=in-the-query',
    SMTP_URL: 'smtp://mail.example',
  })

  test.each([
    'c2VjcmV0LW9mLXRoZS1hcHA=',
    'p%40ssword-1',
    'p@ssword-1',
    '0123456789abcdef',
    'apikey=in-the-query',
  ])('lacks %s', (secret) => {
    expect(hide(`it says ${secret}.`)).toBe('it says [redacted].')
  })

  test.each(['cHVibGljLWtleQ==', 'db.example:5432', 'one.example', 'cowry'])('keeps %s', (text) => {
    expect(hide(`it says ${text}.`)).toBe(`it says ${text}.`)
  })
})

describe('a clock that was read between two moments of this machine', () => {
  test.each([
    ['later than both: this machine is behind', 10_000, 11_000, 9000],
    ['earlier than both: it is ahead', -8000, -7000, -7000],
    ['between them: they may agree', 500, 500, 0],
    ['in a second that reaches into them', -300, 700, 0],
  ])('%s', (_of, from, to, behindMs) => {
    expect(skewOf('a host', 0, 1000, from, to)).toEqual({ of: 'a host', behindMs })
  })
})
