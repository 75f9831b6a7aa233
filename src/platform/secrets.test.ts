import { format, inspect } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { holdsCredential, Secret, scrub } from './secrets.ts'

const value = 'canary-7f3a91'
const secret = new Secret(value)

describe('a secret', () => {
  test.each<[string, () => string]>([
    ['a template', () => `${secret}`],
    ['a concatenation', () => `key: ${secret}`.concat(secret as unknown as string)],
    ['+', () => `x`.concat('') + (secret as unknown as string)],
    ['String()', () => String(secret)],
    ['toString()', () => secret.toString()],
    ['join', () => [secret, secret].join()],
    ['JSON', () => JSON.stringify({ deep: [{ secret }] })],
    ['inspection', () => inspect({ deep: { deeper: { secret } } }, { depth: 10 })],
    ['inspection of everything', () => inspect(secret, { showHidden: true, depth: 10, getters: true })],
    ['inspection without its own method', () => inspect(secret, { showHidden: true, customInspect: false })],
    ['%s, %o, %O, %j', () => format('%s %o %O %j', secret, secret, secret, secret)],
    ['the message of an error', () => new Error(`could not use ${secret}`).message],
    ['an error that carries it', () => inspect(new Error('x', { cause: { secret } }), { depth: 10 })],
    [
      'its fields',
      () =>
        JSON.stringify([
          Object.keys(secret),
          Object.values(secret),
          Object.getOwnPropertyNames(secret),
          { ...secret },
        ]),
    ],
    ['a structured clone', () => inspect(structuredClone(secret), { showHidden: true })],
    ['a symbol key', () => JSON.stringify({ [secret as unknown as string]: 1 })],
  ])('does not show in %s', (_where, write) => {
    const written = write()
    expect(written).not.toContain(value)
    expect(written.length).toBeGreaterThan(0)
  })

  test('of bytes does not show either', () => {
    const bytes = new Secret<Uint8Array>(Buffer.from(value))
    for (const written of [`${bytes}`, JSON.stringify({ bytes }), inspect(bytes, { showHidden: true })]) {
      expect(written).not.toContain(value)
      expect(written).not.toContain([...Buffer.from(value)].join(','))
      expect(written).not.toContain(Buffer.from(value).toString('hex').slice(0, 8))
    }
  })

  test('shows that there is one', () => {
    for (const written of [`${secret}`, JSON.parse(JSON.stringify(secret)), inspect(secret)])
      expect(written).toBe('[redacted]')
  })

  test('is returned by reveal', () => {
    expect(secret.reveal()).toBe(value)
  })

  test('is not a number', () => {
    expect(Number(secret)).toBeNaN()
  })
})

test.each([
  `invite_${'a1_-'.repeat(10)}abc`,
  `refund_${'a1_-'.repeat(10)}abc`,
  `ak_test_${'a1'.repeat(20)}`,
  `v1,whsec_${'a1'.repeat(20)}=`,
])('the credential %s is removed from a text, and found in it', (text) => {
  expect(scrub(`https://pay.example/refund#${text} `)).not.toContain('a1')
  expect(holdsCredential(`of ${text}`)).toBe(true)
})

describe('scrubbing a token', () => {
  test('are redacted also where a text has no other credential', () => {
    expect(scrub('see eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl for it')).toBe('see [redacted] for it')
  })

  const asOneExpression = (text: string) => text.replace(/eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g, '[redacted]')

  test('gives the same result as one expression for all its parts', () => {
    const piece = fc.constantFrom(
      'eyJ',
      'eyJeyJ',
      'a',
      'b_-',
      'abcdefgh',
      'x'.repeat(12),
      '.',
      '..',
      ' ',
      '"',
      '%20',
      '\\n',
      '/',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('')
        expect(scrub(text)).toBe(asOneExpression(text))
      }),
      { numRuns: 3000 },
    )
  })

  test.each([
    ['one run', (n: number) => 'eyJ'.repeat(n)],
    ['many runs', (n: number) => 'eyJaaaaaaaaa.b.'.repeat(n / 5)],
    ['runs without an end', (n: number) => `${'eyJ'.repeat(n / 2)}.${'eyJ'.repeat(n / 2)}`],
    ['points', (n: number) => '.'.repeat(3 * n)],
  ])('takes time linear in the length of %s', (_what, text) => {
    // CPU time: load by other processes does not count.
    const cpuOf = (n: number, times: number) => {
      const given = text(n)
      const began = process.threadCpuUsage()
      for (let i = 0; i < times; i++) scrub(given)
      return process.threadCpuUsage(began).user
    }
    cpuOf(1000, 100)
    // As many characters, in texts sixteen times as long: quadratic time would be sixteen times as much.
    expect(cpuOf(320_000, 8)).toBeLessThan(5 * cpuOf(20_000, 128) + 20_000)
  })
})

describe('scrubbing a text', () => {
  const apiKey = `ak_live_${'aB3'.repeat(12)}`
  const testKey = `ak_test_${'Zz9'.repeat(12)}`
  const signing = `whsec_${Buffer.alloc(32, 250).toString('base64')}`

  test.each([
    ['an API key', apiKey],
    ['an API key of a test deployment', testKey],
    ['a webhook secret, with all the characters of base64', signing],
  ])('removes %s, wherever it stands', (_what, credential) => {
    for (const text of [
      credential,
      `the key ${credential} is wrong`,
      `(${credential})`,
      `"${credential}"`,
      `x-api-key:${credential},accept:*/*`,
      `https://example.com/?key=${credential}&x=1`,
      `${credential} ${credential}`,
      `first\n${credential}\nlast`,
    ]) {
      const clean = scrub(text)
      expect(clean).not.toContain(credential.slice(8, 24))
      expect(clean).toContain('[redacted]')
    }
  })

  test('leaves all other text unchanged', () => {
    for (const text of [
      '',
      'a plain line',
      'ak_live_',
      'whsec_',
      'break_live_music',
      '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
      '{"label":"ak_live_1"}',
    ]) {
      expect(scrub(text)).toBe(text)
    }
  })
})
