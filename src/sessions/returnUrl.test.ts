import { describe, expect, test } from '@jest/globals'
import { requireReturnUrl, returnUrlOf } from './returnUrl.ts'

const live = { issuer: 'https://pay.example.com' }
const local = { issuer: 'http://localhost:3000' }
const hosts = ['shop.example.com', 'localhost']

describe('a URL on a host of the business is taken as it is', () => {
  test.each([
    ['https://shop.example.com/orders/1?paid=%E2%9C%93#end', undefined],
    ['https://shop.example.com', 'https://shop.example.com/'],
    ['https://SHOP.example.com/A', 'https://shop.example.com/A'],
    ['https://shop.example.com?order=1', 'https://shop.example.com/?order=1'],
    ['https://shop.example.com/a@b:c//evil.example.com', undefined],
  ])('%s', (url, normal = url) => {
    expect(returnUrlOf(live, hosts, url)).toBe(normal)
  })
})

describe('any other URL is refused', () => {
  test.each([
    'javascript:alert(1)',
    'javascript://shop.example.com/%0aalert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://shop.example.com/1',
    'ftp://shop.example.com/',
    'http://shop.example.com/',
    '//shop.example.com/',
    '/orders/1',
    'shop.example.com',
    'https:shop.example.com',
    'https:/shop.example.com/',
    'https:///shop.example.com/',
    'https://evil.example.com/',
    'https://shop.example.com.evil.example/',
    'https://evilshop.example.com/',
    'https://below.shop.example.com/',
    'https://shop.example.com@evil.example/',
    'https://user@shop.example.com/',
    'https://user:password@shop.example.com/',
    'https://@shop.example.com/',
    'https://evil.example\\@shop.example.com/',
    'https://shop.example.com\\.evil.example/',
    'https:\\\\shop.example.com/',
    'https://shop.example.com/\\evil.example',
    'https://shop.example.com./',
    'https://shop..example.com/',
    'https://shop.example.com:443/',
    'https://shop.example.com:8443/',
    'https://shop.example.com:/',
    'https://shop.example.com:80@evil.example/',
    'https://shop%2eexample.com/',
    'https://shop.example.com%2f@evil.example/',
    'https://shop。example.com/',
    'https://ѕhop.example.com/',
    'https://ｓhop.example.com/',
    'https://sho\u00adp.example.com/',
    'https://shop.example.com/\u202emoc.live',
    'https://shop.example.com/a b',
    'https://shop.example.com/\n',
    'https://shop.\texample.com/',
    ' https://shop.example.com/',
    'https://shop.example.com/\u0000',
    'https://localhost/',
    'http://localhost/',
    'https://[::1]/',
    'https://127.0.0.1/',
    'https://__proto__/',
    '',
  ])('%j', (url) => {
    expect(returnUrlOf(live, hosts, url)).toBeNull()
    expect(() => requireReturnUrl(live, { returnHosts: hosts }, url)).toThrow(
      expect.objectContaining({
        status: 400,
        fields: [
          {
            field: 'returnUrl',
            message: expect.stringContaining('shop.example.com, localhost'),
            code: expect.stringMatching(/^(invalid_url|unlisted_host)$/),
          },
        ],
      }),
    )
  })
})

test.each([
  ['https://evil.example.com/', 'unlisted_host'],
  ['http://shop.example.com/', 'invalid_url'],
  ['javascript:alert(1)', 'invalid_url'],
])('the refusal of %s is %s', (url, code) =>
  expect(() => requireReturnUrl(live, { returnHosts: hosts }, url)).toThrow(
    expect.objectContaining({ fields: [expect.objectContaining({ code })] }),
  ),
)

test('without return hosts every URL is refused, and the refusal says so; left out, there is none', () => {
  expect(() => requireReturnUrl(live, { returnHosts: [] }, 'https://shop.example.com/')).toThrow(
    expect.objectContaining({
      fields: [
        { field: 'returnUrl', message: expect.stringContaining('none is set'), code: 'unlisted_host' },
      ],
    }),
  )
  expect(requireReturnUrl(live, { returnHosts: [] }, undefined)).toBeNull()
})

test('on a machine of a developer, localhost may have http and a port, if it is listed', () => {
  expect(returnUrlOf(local, hosts, 'http://localhost:5173/done')).toBe('http://localhost:5173/done')
  expect(returnUrlOf(local, ['shop.example.com'], 'http://localhost:5173/done')).toBeNull()
  expect(returnUrlOf(local, hosts, 'http://shop.example.com/')).toBeNull()
  expect(returnUrlOf(local, hosts, 'http://localhost:99999/')).toBeNull()
})
