import { describe, expect, test } from '@jest/globals'
import { checkedHosts } from './returnHosts.ts'

const live = { issuer: 'https://pay.example.com' }

test('hosts are kept in lower case, each once', () => {
  expect(checkedHosts(live, ['Shop.Example.com', 'shop.example.com', ' xn--bcher-kva.example '])).toEqual([
    'shop.example.com',
    'xn--bcher-kva.example',
  ])
})

describe('what is no host name is refused', () => {
  test.each([
    'shop',
    'https://shop.example.com',
    'shop.example.com:8443',
    'shop.example.com/',
    'shop.example.com.',
    '.example.com',
    '*.example.com',
    'user@shop.example.com',
    'bücher.example',
    'shop.ехample.com',
    'shop example.com',
    'shop%2eexample.com',
    '192.0.2.1',
    '192.0.2.0x1',
    '0x7f.0x1',
    '3221225985',
    '[2001:db8::1]',
    '-shop.example.com',
    'shop-.example.com',
    `${'a'.repeat(64)}.example.com`,
    'localhost',
    'javascript:alert(1)',
    '',
  ])('%s', (host) => {
    expect(() => checkedHosts(live, ['shop.example.com', host])).toThrow(
      expect.objectContaining({
        status: 400,
        fields: [expect.objectContaining({ field: 'returnHosts.1' })],
      }),
    )
  })
})

test('localhost is a host where the deployment itself is on a machine of a developer', () => {
  expect(checkedHosts({ issuer: 'http://localhost:3000' }, ['localhost'])).toEqual(['localhost'])
  expect(() => checkedHosts({ issuer: 'https://localhost.example.com' }, ['localhost'])).toThrow()
})
