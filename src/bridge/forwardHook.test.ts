import { expect, test } from '@jest/globals'
import { forwardHook } from './forwardHook.ts'

const name = '636374702d666f7277617264000000000000000000000000'
const wordOf = () => `0x${'ab'.repeat(32)}` as const

test('the hook names the forwarding service, a version and nothing more', () => {
  expect(forwardHook({ wordOf }, 'owner')).toBe(`0x${name}${'0'.repeat(16)}`)
})

test('to a chain with token accounts it names the owner of the one that is opened', () => {
  expect(forwardHook({ wordOf, recipientOf: wordOf }, 'owner')).toBe(
    `0x${name}0000000000000021` + `01${'ab'.repeat(32)}`,
  )
})
