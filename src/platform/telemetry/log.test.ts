import { describe, expect, test } from '@jest/globals'
import { Secret } from '../secrets.ts'
import { accessLogOf, createLog, inOrder } from './log.ts'
import { inScope } from './scope.ts'

function setUp(level = 'trace') {
  const lines: string[] = []
  const log = createLog('api', level, { write: (line) => void lines.push(line) })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> }
}

const value = 'canary-7f3a91'
const names = [
  'apiKey',
  'authorization',
  'cookie',
  'fromPrivateKey',
  'masterKey',
  'mnemonic',
  'password',
  'privateKey',
  'secret',
  'seed',
  'totp',
  'x-api-key',
]

describe('a line', () => {
  test('is JSON with process, level name, time in UTC and the message', () => {
    const { log, last, lines } = setUp()
    log.info({ height: 7 }, 'block read')
    expect(lines.at(-1)).toMatch(/\n$/)
    expect(last()).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      process: 'api',
      height: 7,
      msg: 'block read',
    })
  })

  test('below the configured level is not written', () => {
    const { log, lines } = setUp('warn')
    log.info('no')
    log.warn('yes')
    expect(lines).toHaveLength(1)
  })
})

describe('a line on behalf of a request or job', () => {
  const trace = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 0 }

  test('has its ids, also from a child logger and after waits', async () => {
    const { log, last } = setUp()
    await inScope({ requestId: 'r1', trace }, async () => {
      await new Promise((resolve) => setImmediate(resolve))
      log.child({ chain: 'tron' }).info('message')
    })
    expect(last()).toMatchObject({ requestId: 'r1', traceId: trace.traceId, chain: 'tron' })
  })

  test('has only the ids that are known, and other lines have no ids', () => {
    const { log, last } = setUp()
    inScope({ requestId: null, trace }, () => log.info('message'))
    expect(last()).not.toHaveProperty('requestId')
    log.info('message')
    expect([last().requestId, last().traceId]).toEqual([undefined, undefined])
  })

  test('keeps an id that it was given itself', () => {
    const { log, last } = setUp()
    inScope({ requestId: 'r1', trace: null }, () => log.info({ requestId: 'r2' }, 'message'))
    expect(last().requestId).toBe('r2')
  })
})

describe('a field with the name of a secret', () => {
  test.each(names)('%s is redacted at the top and one level down', (name) => {
    const { log, last, lines } = setUp()
    log.info({ [name]: value, request: { [name]: value, id: 1 }, other: 'kept' }, 'message')
    expect(lines.join('')).not.toContain(value)
    expect(last()).toMatchObject({
      [name]: '[redacted]',
      request: { [name]: '[redacted]', id: 1 },
      other: 'kept',
    })
  })

  test('is redacted in a child logger and in its bindings', () => {
    const { log, lines } = setUp()
    const child = log.child({ password: value, context: { seed: value } })
    child.info({ secret: value }, 'message')
    expect(lines.join('')).not.toContain(value)
  })

  test('is redacted for any value', () => {
    const { log, lines } = setUp()
    log.info({ seed: [value], secret: { deep: { deeper: value } }, password: new Secret(value) }, 'message')
    expect(lines.join('')).not.toContain(value)
  })
})

describe('a recognisable credential', () => {
  const credentials = [
    `ak_live_${'aB3'.repeat(12)}`,
    `ak_test_${'aB3'.repeat(12)}`,
    `whsec_${Buffer.alloc(32, 250).toString('base64')}`,
  ]

  test.each(credentials)('%s is redacted wherever it stands', (credential) => {
    const { log, lines } = setUp()
    log.info(`called with ${credential}`)
    log.info({ note: credential }, 'message')
    log.info({ deep: { deeper: { deepest: [`x ${credential}`] } } }, 'message')
    log.info({ [credential]: 1 }, 'message')
    log.info('called with %s', credential)
    log.error(
      { err: new Error(`refused: ${credential}`, { cause: new Error(`because of ${credential}`) }) },
      'failed',
    )
    log.error(new Error(`refused: ${credential}`))
    log.child({ note: credential }).info('message')
    expect(lines).toHaveLength(8)
    for (const line of lines) {
      expect(line).not.toContain(credential.slice(8, 30))
      expect(line).toContain('[redacted]')
      expect(() => JSON.parse(line)).not.toThrow()
    }
  })

  test.each(credentials)('%s is redacted at the start of a line of text, and after a tab', (credential) => {
    const { log, lines } = setUp()
    log.info(`headers:\n${credential}`)
    log.info({ note: `x-api-key:\t${credential}` }, 'message')
    for (const line of lines) expect(line).not.toContain(credential.slice(8, 30))
  })
})

test('a Secret is redacted under any name and at any depth', () => {
  const { log, lines } = setUp()
  const secret = new Secret(value)
  log.info({ anything: secret, deep: { deeper: [{ secret, other: secret }] } }, `with ${secret}`)
  expect(lines.join('')).not.toContain(value)
})

describe('access lines', () => {
  test('have the form of others, without what is not known, and credentials are redacted', () => {
    const { log, last } = setUp('info')
    accessLogOf(log).info(
      { requestId: 'sk_live_0123456789abcdefghij', keyId: undefined, status: 201 },
      'request',
    )
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(last()).toEqual({
      level: 'info',
      time,
      process: 'api',
      requestId: '[redacted]',
      status: 201,
      msg: 'request',
    })
  })

  test('below the level of the log are not written', () => {
    const { log, lines } = setUp('info')
    accessLogOf(log).debug({}, 'request')
    expect(lines).toEqual([])
  })

  test('are written together soon, at once when they are many, and before any line that follows', async () => {
    const written: string[] = []
    const { promise: soon, resolve } = Promise.withResolvers<void>()
    const output = inOrder({
      write(lines) {
        written.push(lines)
        resolve()
      },
    })
    const log = createLog('api', 'info', output)
    const access = accessLogOf(log)
    const messages = () => written.map((lines) => [...lines.matchAll(/"n":(\d+)/g)].map(([, n]) => Number(n)))
    access.info({ n: 1 }, 'request')
    access.info({ n: 2 }, 'request')
    expect(written).toEqual([])
    await soon
    expect(messages()).toEqual([[1, 2]])
    access.info({ n: 3 }, 'request')
    log.info({ n: 4 }, 'message')
    expect(messages()).toEqual([[1, 2], [3], [4]])
    access.info({ n: 5, text: 'x'.repeat(20_000) }, 'request')
    expect(messages().at(-1)).toEqual([5])
  })

  test('that wait are written when the process ends', () => {
    const written: string[] = []
    const before = process.listeners('exit')
    inOrder({ write: (lines) => void written.push(lines) }).later('last\n')
    const [added] = process.listeners('exit').filter((each) => !before.includes(each))
    added?.(0)
    process.removeListener('exit', added ?? (() => {}))
    expect(written).toEqual(['last\n'])
  })
})
