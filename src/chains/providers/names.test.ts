import { expect, test } from '@jest/globals'
import { uniqueNames } from './names.ts'

test('an endpoint is named by its host, without user, path and query, which may be keys', () => {
  expect(uniqueNames(['https://user:pass@a.example/v2/KEY?key=KEY', 'http://b.example:8545'])).toEqual([
    'a.example',
    'b.example:8545',
  ])
})

test('two keys at one company are two providers', () => {
  const [a, b] = ['https://a.example/v2/one', 'https://b.example']
  expect(uniqueNames([a, b, 'https://a.example/v2/two', 'https://a.example/v2/three'])).toEqual([
    'a.example',
    'b.example',
    'a.example#2',
    'a.example#3',
  ])
  expect(uniqueNames([])).toEqual([])
})
