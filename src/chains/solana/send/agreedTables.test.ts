import { describe, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import { pause } from '../../../platform/wait.ts'
import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { createProviders, type Gate } from '../../providers/providers.ts'
import { agreedTables } from './agreedTables.ts'

const keyOf = (letter: string) => new Uint8Array(32).fill(letter.charCodeAt(0))
const name = base58.encode(keyOf('t'))

/** A table with an address for each letter. */
function tableOf(letters: string) {
  const head = Buffer.alloc(56)
  head.writeUInt32LE(1, 0)
  head.writeBigUInt64LE(2n ** 64n - 1n, 4)
  const data = Buffer.concat([head, ...[...letters].map(keyOf)]).toString('base64')
  return {
    owner: 'AddressLookupTab1e1111111111111111111111111',
    lamports: 1,
    executable: false,
    data: [data, 'base64'],
  }
}

const delays: Record<string, (() => Promise<void>) | undefined> = {
  late: () => pause(1300),
  hangs: () => new Promise(() => {}),
}

/**
 * @param answers of each node: letters, `none`: not a table, `down`: no answer, `hangs`: never an answer,
 * `late`: `ab`, after the others; `!`: it is doubted
 * @returns letters, or null
 */
async function agreedBy(...answers: string[]): Promise<string | null> {
  const open = answers.map((answer, index) => (gate: Gate) => {
    const call = () =>
      gate('read', async () => {
        await delays[answer]?.()
        if (answer === 'down') throw new ProviderError('down')
        return {
          value: [answer === 'none' ? null : tableOf(answer === 'late' ? 'ab' : answer.replace('!', ''))],
        }
      })
    return { name: `node${index}`, call, close: async () => {} } as unknown as JsonRpc
  })
  const providers = createProviders(open, { observe: { called: () => {}, refused: () => {} } })
  for (const [index, answer] of answers.entries()) if (answer.startsWith('!')) providers.doubt(`node${index}`)
  const table = (await agreedTables({ providers }, [name])).get(name)
  return table?.map((address) => String.fromCharCode(base58.decode(address)[0] ?? 0)).join('') ?? null
}

describe('a lookup table is agreed', () => {
  test.each<[string, string[], string | null]>([
    ['by the only node', ['abc'], 'abc'],
    ['by two that are equal', ['abc', 'abc'], 'abc'],
    ['by two of three, with the wrong one in any place', ['abc', 'xbc', 'abc'], 'abc'],
    ['by two, while a third fails', ['down', 'ab', 'ab'], 'ab'],
    ['by two, while a third does not know it yet', ['none', 'ab', 'ab'], 'ab'],
    ['by two, while a third hangs', ['hangs', 'ab', 'ab'], 'ab'],
    ['by two, one of which is late, where a third differs', ['xb', 'ab', 'late'], 'ab'],
    ['by two against two that are doubted', ['!xb', '!xb', 'ab', 'ab'], 'ab'],
    ['by two that are doubted, where there are no others', ['!ab', '!ab'], 'ab'],
    ['up to what two know', ['ab', 'abcd', 'abc'], 'abc'],
    ['up to what both know', ['ab', 'abcd'], 'ab'],
    ['not to be one', ['none', 'none'], null],
    ['not to be one, by the only node', ['none'], null],
  ])('%s', async (_, answers, expected) => {
    expect(await agreedBy(...answers)).toBe(expected)
  })

  test.each<[string, string[], string]>([
    ['by two that differ', ['abc', 'abx'], 'disagree'],
    ['where one does not know it', ['ab', 'none'], 'disagree'],
    ['by one of two, while the other fails', ['ab', 'down'], 'down'],
    ['by two against two', ['ab', 'ab', 'xb', 'xb'], 'disagree'],
  ])('not %s', async (_, answers, message) => {
    await expect(agreedBy(...answers)).rejects.toThrow(message)
  })
})
