import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { howMany } from '../../test/support/full.ts'
import { canonicalAddress, canonicalNetwork, isPublicAddress, isWithin, networkOf } from './addresses.ts'

describe('an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['10.1', null],
    ['0x7f000001', null],
    ['127.0.0.1:80', null],
    ['unknown', null],
    ['', null],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical)
  })

  test('counts an IPv6 address with all of its /64, and an IPv4 address alone', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
    expect(networkOf('203.0.113.7')).toBe('203.0.113.7')
  })
})

describe('a network', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7/32'],
    [' 203.0.113.0/24 ', '203.0.113.0/24'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
  ])('%s is %s', (text, network) => {
    expect(canonicalNetwork(text)).toEqual({ network })
  })

  test.each([
    '203.0.113.7/24',
    '203.0.113.0/33',
    '203.0.113.0/',
    '203.0.113.0/24/8',
    'example.com',
    '::ffff:10.0.0.0/104',
    '10.0/8',
    '2001:db8::1/32',
    '/8',
    '',
  ])('%s is refused with a reason', (text) => {
    expect(canonicalNetwork(text)).toEqual({ problem: expect.stringMatching(/is not|has/) })
  })

  test('contains an IPv4 address exactly when their first bits are equal', () => {
    const bits = fc.integer({ min: 0, max: 0xffffffff })
    const dotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
    fc.assert(
      fc.property(bits, bits, fc.integer({ min: 0, max: 32 }), (address, other, length) => {
        const mask = length === 0 ? 0 : (~0 << (32 - length)) >>> 0
        const network = `${dotted((other & mask) >>> 0)}/${length}`
        expect(canonicalNetwork(network)).toEqual({ network })
        expect(isWithin(dotted(address), [network])).toBe((address & mask) >>> 0 === (other & mask) >>> 0)
        expect(isWithin(`::ffff:${dotted(address)}`, ['2001:db8::/32', network])).toBe(
          isWithin(dotted(address), [network]),
        )
      }),
    )
  })

  test('contains no address of the other family, and no text that is not an address', () => {
    expect(isWithin('203.0.113.7', ['::/0'])).toBe(false)
    expect(isWithin('2001:db8::1', ['0.0.0.0/0'])).toBe(false)
    expect(isWithin('nonsense', ['0.0.0.0/0', '::/0'])).toBe(false)
    expect(isWithin('203.0.113.7', [])).toBe(false)
  })
})

describe('a public address', () => {
  /** Copied from IANA's registries of special-purpose addresses (RFC 6890), not from a library. */
  const special4 = [
    ...[
      '0.0.0.0/8',
      '10.0.0.0/8',
      '100.64.0.0/10',
      '127.0.0.0/8',
      '169.254.0.0/16',
      '172.16.0.0/12',
      '192.0.0.0/24',
      '192.0.2.0/24',
    ],
    ...[
      '192.31.196.0/24',
      '192.52.193.0/24',
      '192.88.99.0/24',
      '192.168.0.0/16',
      '192.175.48.0/24',
      '198.18.0.0/15',
      '198.51.100.0/24',
    ],
    ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32'],
  ].map((cidr) => {
    const [address = '', length] = cidr.split('/')
    return {
      first: address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0),
      size: 2 ** (32 - Number(length)),
    }
  })
  const dotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
  const groups = (value: number) => `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`
  const any4 = fc.integer({ min: 0, max: 0xffffffff })
  const isSpecial4 = (value: number) =>
    special4.some(({ first, size }) => value >= first && value < first + size)
  const inside4 = fc
    .constantFrom(...special4)
    .chain(({ first, size }) => fc.integer({ min: first, max: first + size - 1 }))

  /** The system dials these as the IPv4 address itself. */
  const asItself = (value: number) => [
    dotted(value),
    `::ffff:${dotted(value)}`,
    `::FFFF:${groups(value)}`,
    `0:0:0:0:0:ffff:${groups(value)}`,
  ]
  /** These reach it through a router, a relay or a tunnel. */
  const translated = (value: number) => [
    `::${dotted(value)}`,
    `::ffff:0:${dotted(value)}`,
    `64:ff9b::${dotted(value)}`,
    `64:ff9b::${groups(value)}`,
    `64:ff9b:1::${dotted(value)}`,
    `64:ff9b:1:ffff:1:2:${groups(value)}`,
    `2002:${groups(value)}::1`,
    `2001:0:${groups(value)}::1`,
    `2001::${groups(~value >>> 0)}`,
    `2001:470:1:2:0:5efe:${groups(value)}`,
    `2a00:1450:1:2:200:5efe:${groups(value)}`,
  ]

  test('is never one in an internal IPv4 network, in any notation', () => {
    fc.assert(
      fc.property(inside4, (value) => {
        for (const text of [...asItself(value), ...translated(value)])
          expect([text, isPublicAddress(text)]).toEqual([text, false])
      }),
      { numRuns: howMany(200, 1000) },
    )
  })

  test('is every other IPv4 address in its own notation, and never one that a router would translate', () => {
    fc.assert(
      fc.property(any4, (value) => {
        for (const text of asItself(value))
          expect([text, isPublicAddress(text)]).toEqual([text, !isSpecial4(value)])
        for (const text of translated(value)) expect([text, isPublicAddress(text)]).toEqual([text, false])
      }),
      { numRuns: howMany(200, 1000) },
    )
  })

  test('ends exactly where each internal network starts', () => {
    for (const { first, size } of special4) {
      for (const value of [first - 1, first, first + size - 1, first + size].filter(
        (v) => v >= 0 && v <= 0xffffffff,
      ))
        expect([dotted(value), isPublicAddress(dotted(value))]).toEqual([dotted(value), !isSpecial4(value)])
    }
  })

  test('is IPv6 only within 2000::/3, without its reserved parts', () => {
    const reserved = [
      ...[
        ['2001::', 23],
        ['2001:db8::', 32],
        ['2002::', 16],
        ['3fff::', 20],
        ['2620:4f:8000::', 48],
      ],
    ] as [string, number][]
    const bits = (text: string) => {
      const [head = '', tail = ''] = text.split('::')
      const parts = (half: string) => (half === '' ? [] : half.split(':'))
      const zeros = new Array(8 - parts(head).length - parts(tail).length).fill('0')
      return [...parts(head), ...zeros, ...parts(tail)].reduce(
        (sum, part) => (sum << 16n) | BigInt(`0x${part}`),
        0n,
      )
    }
    const text = (value: bigint) =>
      Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(':')
    const within = (value: bigint, [network, length]: [string, number]) =>
      value >> BigInt(128 - length) === bits(network) >> BigInt(128 - length)
    const anyBits = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n })
    /** Any address, often close to a boundary. */
    const any6 = fc.oneof(
      anyBits,
      fc
        .tuple(
          fc.constantFrom<[string, number]>(['2000::', 3], ...reserved),
          anyBits,
          fc.constantFrom(-1n, 0n, 1n),
        )
        .map(([[network, length], low, offset]) => {
          const size = 1n << BigInt(128 - length)
          return BigInt.asUintN(128, bits(network) + offset * size + (low % size))
        }),
    )
    fc.assert(
      fc.property(any6, (value) => {
        const isatap = ((value >> 32n) & 0xfdffffffn) === 0x5efen
        const expected =
          within(value, ['2000::', 3]) && !reserved.some((network) => within(value, network)) && !isatap
        expect([text(value), isPublicAddress(text(value))]).toEqual([text(value), expected])
      }),
      { numRuns: howMany(500, 3000) },
    )
  })

  test.each([
    '8.8',
    '134744072',
    '0x8.8.8.8',
    '010.8.8.8',
    '8.8.8.8.',
    '8.8.8.8:80',
    '[2606:4700::1111]',
    '2606:4700::1111%eth0',
    'one.one.one.one',
    '',
  ])('is not %j in an unusual notation', (text) => {
    expect(isPublicAddress(text)).toBe(false)
  })

  test.each(['8.8.8.8', '1.1.1.1', '::ffff:8.8.8.8', '2606:4700:4700::1111', '2A00:1450:4001:0800::200E'])(
    'is %s',
    (text) => {
      expect(isPublicAddress(text)).toBe(true)
    },
  )
})
