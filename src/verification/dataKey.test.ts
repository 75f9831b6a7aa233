import { expect, test } from '@jest/globals'
import { Secret } from '../platform/secrets.ts'
import { newDataKeyOf, openDataKey, personKeyContext, uploadKeyContext } from './dataKey.ts'

test('a key of data opens for its own row alone', () => {
  const verifyKey = new Secret(Buffer.alloc(32, 7).toString('base64'))
  const { key, sealed } = newDataKeyOf(verifyKey, personKeyContext('1'))
  expect(openDataKey(verifyKey, personKeyContext('1'), sealed).reveal()).toEqual(key.reveal())
  for (const context of [personKeyContext('2'), uploadKeyContext('1')])
    expect(() => openDataKey(verifyKey, context, sealed)).toThrow()
  expect(() =>
    openDataKey(new Secret(Buffer.alloc(32, 8).toString('base64')), personKeyContext('1'), sealed),
  ).toThrow()
  const upload = newDataKeyOf(verifyKey, uploadKeyContext('1')).sealed
  expect(() => openDataKey(verifyKey, uploadKeyContext('2'), upload)).toThrow()
})
