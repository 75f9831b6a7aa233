import { describe, expect, test } from '@jest/globals'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import type { Chain } from '../payments/accepted.ts'
import { type Explanation, findTransaction, transactionIn } from './findPayment.ts'

const evmId = `0x${'ab'.repeat(32)}`
const plainId = 'cd'.repeat(32)
const solanaId = '5'.repeat(88)

describe('the id in a text', () => {
  test.each([
    [evmId, evmId, 'ethereum'],
    [`https://basescan.org/tx/${evmId}#eventlog`, evmId, 'ethereum'],
    [`  ${plainId} `, plainId, 'tron'],
    [`https://tronscan.org/#/transaction/${plainId}`, plainId, 'tron'],
    [`https://solscan.io/tx/${solanaId}?cluster=devnet`, solanaId, 'solana'],
  ])('%s is found', (text, txId, chain) => {
    expect(transactionIn(text)).toMatchObject({ txId, chains: expect.arrayContaining([chain]) })
  })
  test.each(['', '0x12', `${evmId}0`, `0x${'a'.repeat(40)}`, 'order 7', '5'.repeat(40)])(
    'there is none in %j',
    (text) => expect(transactionIn(text)).toBeNull(),
  )
})

describe('looking for it', () => {
  const answers = (of: Partial<Record<Chain, Partial<Explanation>>>) => {
    const asked: Chain[] = []
    const explain = async (chain: Chain) => {
      asked.push(chain)
      return { chain, outcome: 'not_found', otherChain: null, ...of[chain] } as Explanation
    }
    return { asked, explain }
  }

  test('follows the network that an answer names', async () => {
    const { asked, explain } = answers({
      ethereum: { outcome: 'other_chain', otherChain: 'base' },
      base: { outcome: 'credited' },
    })
    expect(await findTransaction(evmId, ['ethereum', 'base', 'tron'], explain)).toMatchObject({
      chain: 'base',
      outcome: 'credited',
    })
    expect(asked).toEqual(['ethereum', 'base'])
  })

  test('asks each network with ids of this form, until one has it', async () => {
    const { asked, explain } = answers({ stellar: { outcome: 'late' } })
    expect(await findTransaction(plainId, ['ethereum', 'tron', 'stellar'], explain)).toMatchObject({
      outcome: 'late',
    })
    expect(asked).toEqual(['tron', 'stellar'])
  })

  test('what is no id, or of a network that is not there, is said at the field', async () => {
    const { explain } = answers({})
    await expect(findTransaction('order 7', ['ethereum'], explain)).rejects.toThrow(FieldProblem)
    await expect(findTransaction(solanaId, ['ethereum'], explain)).rejects.toThrow(FieldProblem)
  })
})
