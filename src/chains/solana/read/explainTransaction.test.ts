import { describe, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import {
  hashOf,
  key,
  madeSlot,
  madeSolana,
  madeSolanaNode,
  madeSolanaReader,
  mint,
  payer,
  type SolanaAnswers,
  signatureOf,
  systemProgram,
  tokenProgram,
} from '../../../../test/support/madeSolana.ts'
import { ProviderError } from '../../chain.ts'

const [bob, bobsTokens] = [key('bob'), key("bob's account of tokens")]
const signature = signatureOf('asked about')
const explained = (made: Parameters<typeof madeSolana>[0], answer: SolanaAnswers = {}) =>
  madeSolanaReader([
    madeSolanaNode('a', [madeSlot(9), madeSlot(10, [madeSolana({ signature, ...made })])], answer),
  ]).reader.transaction(signature)

const err = { InstructionError: [0, { Custom: 1 }] }
/** An instruction: its first bytes, and an amount in eight bytes, little-endian. */
const instruction = (
  programIdIndex: number,
  accounts: number[],
  kind: number[],
  amount: bigint,
  after: number[] = [],
) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(amount)
  return { programIdIndex, accounts, data: base58.encode(Buffer.from([...kind, ...bytes, ...after])) }
}
/**
 * Instruction numbers: `Transfer` of the system program, `Transfer` and `TransferChecked` of the token
 * program.
 */
const [systemTransfer, tokenTransfer, transferChecked] = [[2, 0, 0, 0], [3], [12]]
const decimals = [6]

describe('a requested transaction', () => {
  test('that succeeded has its block and its transfers', async () => {
    expect(await explained({ tokens: [{ owner: bob, before: 0n, after: 5n }] })).toMatchObject({
      status: 'succeeded',
      block: { height: 10, id: hashOf(10), parentId: hashOf(9) },
      transfers: [{ to: bob, amount: 5n }],
      traced: true,
    })
  })

  test('that failed shows the intended transfer of SOL', async () => {
    const accounts = [{ key: bob }, { key: systemProgram }]
    const facts = await explained({
      accounts,
      instructions: [instruction(2, [0, 1], systemTransfer, 7n)],
      meta: { err },
    })
    expect(facts).toMatchObject({
      status: 'failed',
      block: { height: 10 },
      transfers: [{ movementKey: 'instruction:0', contract: null, from: payer, to: bob, amount: 7n }],
    })
  })

  test('that failed shows the intended transfer of tokens, to the owner of the account', async () => {
    const accounts = [
      { key: key('own account of tokens') },
      { key: bobsTokens },
      { key: mint },
      { key: tokenProgram },
    ]
    const tokens = [{ owner: bob, account: 2, before: 1n, after: 1n }]
    const plain = await explained({
      accounts,
      tokens,
      instructions: [instruction(4, [1, 2, 0], tokenTransfer, 9n)],
      meta: { err },
    })
    const checked = await explained({
      accounts,
      tokens,
      instructions: [instruction(4, [1, 3, 2, 0], transferChecked, 9n, decimals)],
      meta: { err },
    })
    for (const facts of [plain, checked]) {
      expect(facts).toMatchObject({
        status: 'failed',
        transfers: [{ contract: mint, from: payer, to: bob, amount: 9n }],
      })
    }
  })

  test.each([
    ['another instruction of a token program', instruction(4, [1, 2, 0], [7], 9n)],
    [
      'a truncated transfer',
      { programIdIndex: 4, accounts: [1, 2, 0], data: base58.encode(Buffer.from([3, 1])) },
    ],
    ['a transfer to an unknown account', instruction(4, [1, 3, 0], tokenTransfer, 9n)],
    ['an instruction of another program', instruction(3, [1, 2, 0], tokenTransfer, 9n)],
    ['an instruction without data', { programIdIndex: 4, accounts: [], data: '' }],
  ])('that failed with %s shows no intended transfer', async (_what, made) => {
    const accounts = [
      { key: key('own account of tokens') },
      { key: bobsTokens },
      { key: mint },
      { key: tokenProgram },
    ]
    const facts = await explained({
      accounts,
      tokens: [{ owner: bob, account: 2, before: 1n, after: 1n }],
      instructions: [made],
      meta: { err },
    })
    expect(facts).toMatchObject({ status: 'failed', transfers: [] })
  })

  test('in a block that is not confirmed yet is pending', async () => {
    const statuses = (confirmationStatus: string): SolanaAnswers => ({
      getTransaction: () => null,
      getSignatureStatuses: () => ({ value: [{ slot: 11, confirmationStatus }] }),
    })
    expect(await explained({}, statuses('processed'))).toEqual({
      status: 'pending',
      block: null,
      transfers: [],
      traced: true,
    })
  })

  test('is null if no provider knows it', async () => {
    const unknown = { getTransaction: () => null }
    expect(await explained({}, unknown)).toBeNull()
    expect(await explained({}, { ...unknown, getSignatureStatuses: () => null })).toBeNull()
  })

  test('without its block or its outcome is a failure of that provider', async () => {
    await expect(explained({}, { getBlock: () => null })).rejects.toThrow(ProviderError)
    await expect(
      explained({}, { getTransaction: (_params, truth) => ({ ...(truth() as object), meta: null }) }),
    ).rejects.toThrow(ProviderError)
  })
})
