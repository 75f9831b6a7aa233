import { describe, expect, test } from '@jest/globals'
import { changesOf, readEndpoint } from './endpointForm.ts'

function form(fields: Record<string, string | string[]>): FormData {
  const data = new FormData()
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) data.append(name, value)
  return data
}

const shop = { url: 'https://shop.example/cowry', description: 'Shop', eventTypes: ['session.*', 'transfer.failed'] }

describe('an endpoint in the form', () => {
  test('takes everything, with any types ticked before that was chosen', () => {
    const data = form({ url: ' https://shop.example/cowry ', description: '', limit: 'all', eventTypes: ['session.paid'] })
    expect(readEndpoint(data)).toEqual({ url: 'https://shop.example/cowry', description: '', eventTypes: null })
  })

  test('takes the ticked types, and is refused without any', () => {
    expect(readEndpoint(form({ ...shop, limit: 'some' }))).toEqual(shop)
    expect(() => readEndpoint(form({ url: shop.url, limit: 'some' }))).toThrow(
      expect.objectContaining({ fields: { eventTypes: expect.any(String) } }),
    )
  })
})

describe('the changes of an endpoint', () => {
  test('are empty if nothing was edited, in any order', () => {
    expect(changesOf(shop, { ...shop, eventTypes: ['transfer.failed', 'session.*'] })).toEqual({})
    expect(changesOf({ ...shop, eventTypes: null }, { ...shop, eventTypes: null })).toEqual({})
  })

  test('are only the edited fields', () => {
    expect(changesOf(shop, { ...shop, url: 'https://shop.example/2' })).toEqual({ url: 'https://shop.example/2' })
    expect(changesOf(shop, { ...shop, description: '' })).toEqual({ description: '' })
    expect(changesOf(shop, { ...shop, eventTypes: null })).toEqual({ eventTypes: null })
  })
})
