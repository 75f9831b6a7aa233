import { randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { AppKey } from '../platform/appKey.ts'
import { Secret } from '../platform/secrets.ts'
import { open, seal } from './seal.ts'
import { opensWith, openText, sealText } from './sealText.ts'

const newKey = () => new Secret(randomBytes(32).toString('base64'))
const raw = (key: Secret) => new Secret<Uint8Array>(Buffer.from(key.reveal(), 'base64'))
const [key, next] = [newKey(), newKey()]

test('a text is sealed with a subkey: the key itself does not open it', () => {
  const sealed = sealText(key, 'row 1', new Secret('text'))
  expect(openText(key, 'row 1', sealed).reveal()).toBe('text')
  expect(() => open(raw(key), sealed, 'row 1')).toThrow()
})

test('what a version before the subkeys sealed is opened, with either key of a roll, and counts as not yet rolled', () => {
  const sealed = seal(raw(key), Buffer.from('text'), 'row 1')
  for (const appKey of [key, new AppKey(key, next), new AppKey(next, key)])
    expect(openText(appKey, 'row 1', sealed).reveal()).toBe('text')
  expect(opensWith(key, 'row 1', sealed)).toBe(false)
  expect(() => openText(next, 'row 1', sealed)).toThrow()
  expect(() => openText(key, 'row 2', sealed)).toThrow()
})
