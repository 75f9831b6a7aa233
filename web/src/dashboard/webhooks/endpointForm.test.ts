import { describe, expect, test } from '@jest/globals'
import { changesOf, readEndpoint, readHeaders, readNewHeaders } from './endpointForm.ts'

function form(fields: Record<string, string | string[] | null>): FormData {
  const data = new FormData()
  for (const [name, values] of Object.entries(fields))
    for (const value of [values ?? []].flat()) data.append(name, value)
  return data
}

const shop = {
  url: 'https://shop.example/cowry',
  description: 'Shop',
  eventTypes: ['session.*', 'transfer.failed'],
  chains: null,
  tokens: null,
  referencePrefix: null,
  maxPerSecond: null,
}

describe('an endpoint in the form', () => {
  test('takes everything, with any types ticked before that was chosen', () => {
    const data = form({
      url: ' https://shop.example/cowry ',
      description: '',
      limit: 'all',
      eventTypes: ['session.paid'],
    })
    expect(readEndpoint(data)).toEqual({
      url: 'https://shop.example/cowry',
      description: '',
      eventTypes: null,
      chains: null,
      tokens: null,
      referencePrefix: null,
      maxPerSecond: null,
    })
  })

  test('takes the ticked types, and is refused without any', () => {
    expect(readEndpoint(form({ ...shop, limit: 'some', maxPerSecond: '' }))).toEqual(shop)
    expect(() => readEndpoint(form({ url: shop.url, limit: 'some' }))).toThrow(
      expect.objectContaining({ fields: { eventTypes: expect.any(String) } }),
    )
  })
})

describe('filters in the form', () => {
  const filters = (fields: Record<string, string>) => {
    const data = form({ url: shop.url, description: '', limit: 'all', maxPerSecond: '', ...fields })
    const { chains, tokens, referencePrefix } = readEndpoint(data)
    return { chains, tokens, referencePrefix }
  }

  test('are names with commas or spaces between, in any case; empty is all', () => {
    expect(filters({ chains: 'Base, solana  base', tokens: 'usdc', referencePrefix: ' shop- ' })).toEqual({
      chains: ['base', 'solana'],
      tokens: ['USDC'],
      referencePrefix: 'shop-',
    })
    expect(filters({ chains: ' , ', tokens: '', referencePrefix: ' ' })).toEqual({
      chains: null,
      tokens: null,
      referencePrefix: null,
    })
  })
})

describe('own headers in the form', () => {
  const headers = (text: string) => form({ headers: text })

  test('are one a line, with colons in values, and without empty lines', () => {
    expect(readHeaders(headers('Authorization: Bearer a:b\r\n\n x-a :1\n'))).toEqual({
      Authorization: 'Bearer a:b',
      'x-a': '1',
    })
    expect(readHeaders(headers(''))).toEqual({})
  })

  test('without a value are removed; a new endpoint has nothing to remove', () => {
    expect(readHeaders(headers('x-a:'))).toEqual({ 'x-a': null })
    expect(() => readNewHeaders(headers('x-a:'))).toThrow(
      expect.objectContaining({ fields: { headers: 'x-a has no value.' } }),
    )
  })

  test('are refused with the number of the line that is no header', () => {
    for (const text of ['x-a: 1\nsecret', 'x-a: 1\n: secret'])
      expect(() => readHeaders(headers(text))).toThrow(
        expect.objectContaining({ fields: { headers: 'Line 2 is not a name, a colon and a value.' } }),
      )
  })
})

describe('the changes of an endpoint', () => {
  test('are empty if nothing was edited, in any order', () => {
    expect(changesOf(shop, { ...shop, eventTypes: ['transfer.failed', 'session.*'] })).toEqual({})
    expect(changesOf({ ...shop, eventTypes: null }, { ...shop, eventTypes: null })).toEqual({})
  })

  test('are only the edited fields', () => {
    expect(changesOf(shop, { ...shop, url: 'https://shop.example/2' })).toEqual({
      url: 'https://shop.example/2',
    })
    expect(changesOf(shop, { ...shop, description: '' })).toEqual({ description: '' })
    expect(changesOf(shop, { ...shop, eventTypes: null })).toEqual({ eventTypes: null })
    expect(changesOf(shop, { ...shop, tokens: ['USDC'] })).toEqual({ tokens: ['USDC'] })
    expect(changesOf(shop, { ...shop, maxPerSecond: 5 })).toEqual({ maxPerSecond: 5 })
  })
})
