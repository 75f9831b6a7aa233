import { describe, expect, test } from '@jest/globals'
import { madeTronNode } from '../../../test/support/madeTron.ts'
import { ProviderError } from '../chain.ts'
import { ThrottledError } from '../providers/budget.ts'
import { createProviders } from '../providers/providers.ts'
import type { Rest } from '../providers/rest.ts'
import type { Broadcast } from '../sending.ts'
import { broadcastTransfer } from './broadcastTransfer.ts'

type Answer = object | Error

const nodeOf = (answer: Answer, index: number): Rest =>
  madeTronNode(`node${index}`, [], {
    '/wallet/broadcasthex': (body) => {
      expect(body).toEqual({ transaction: '0a02' })
      if (answer instanceof Error) throw answer
      return answer
    },
  })

/** Broadcasts two bytes to nodes with these answers, in this order. */
async function broadcast(...answers: Answer[]): Promise<Broadcast | 'unknown'> {
  const providers = createProviders<Rest>(
    answers.map((answer, index) => () => nodeOf(answer, index)),
    { observe: { called: () => {}, refused: () => {} } },
  )
  try {
    return await broadcastTransfer(providers, { txId: '', bytes: new Uint8Array([10, 2]), expiry: null })
  } catch (error) {
    if (error instanceof ProviderError) return 'unknown'
    throw error
  }
}

const no = (code: string, message = 'why') => ({ result: false, code, message })
const status = async (...answers: Answer[]) => {
  const answer = await broadcast(...answers)
  return typeof answer === 'string' ? answer : answer.status
}
const lost = new ProviderError('node: wallet/broadcasthex: timeout')

describe('an answer to a broadcast', () => {
  // The codes of `Return.response_code` in java-tron's api.proto: all of them.
  test.each<[string, Broadcast['status'] | 'unknown']>([
    ['SIGERROR', 'refused'],
    ['CONTRACT_VALIDATE_ERROR', 'refused'],
    ['CONTRACT_EXE_ERROR', 'refused'],
    ['BANDWITH_ERROR', 'refused'],
    ['DUP_TRANSACTION_ERROR', 'accepted'],
    ['TAPOS_ERROR', 'refused'],
    ['TOO_BIG_TRANSACTION_ERROR', 'refused'],
    ['TRANSACTION_EXPIRATION_ERROR', 'expired'],
    ['SERVER_BUSY', 'busy'],
    ['NO_CONNECTION', 'busy'],
    ['NOT_ENOUGH_EFFECTIVE_CONNECTION', 'busy'],
    ['BLOCK_UNSOLIDIFIED', 'busy'],
    ['OTHER_ERROR', 'unknown'],
    ['SOMETHING_NEW', 'unknown'],
  ])('%s means "%s"', async (code, meaning) => {
    const answer = await broadcast(no(code))
    expect(answer).toEqual(meaning === 'unknown' ? meaning : { status: meaning, message: 'why' })
  })

  test.each<[string, Answer]>([
    ['an error with status 200', { Error: 'class java.lang.NullPointerException : null' }],
    ['an empty object', {}],
    ['no code', { result: false }],
    ['a result that is not a boolean', { result: 'true' }],
    ['a failure', lost],
  ])('of %s has an unknown outcome', async (_what, answer) => {
    expect(await broadcast(answer)).toBe('unknown')
  })

  test('has the node’s message, decoded from hex, without the bytes of the transaction', async () => {
    expect(await broadcast({ result: true, code: 'SUCCESS', message: '' })).toEqual({
      status: 'accepted',
      message: null,
    })
    expect(await broadcast(no('SIGERROR', Buffer.from('no such key').toString('hex')))).toEqual({
      status: 'refused',
      message: 'no such key',
    })
    expect(await broadcast(no('SIGERROR', `${'ab'.repeat(65)} is signed by X`))).toEqual({
      status: 'refused',
      message: '… is signed by X',
    })
    expect(await broadcast(no('SIGERROR', 'x'.repeat(5000)))).toEqual({
      status: 'refused',
      message: 'x'.repeat(200),
    })
  })
})

describe('a broadcast to several nodes', () => {
  const accepted = { result: true, code: 'SUCCESS' }

  test('goes on to the next node if one is busy, throttled, or does not answer', async () => {
    for (const first of [no('SERVER_BUSY'), lost, no('OTHER_ERROR'), new ThrottledError('held back', 1000)]) {
      expect(await status(first, accepted)).toBe('accepted')
    }
    expect(await status(no('SERVER_BUSY'), no('NO_CONNECTION'))).toBe('busy')
  })

  test('is not refused by the second node if the answer of the first was lost: it may have accepted', async () => {
    for (const second of [
      no('CONTRACT_VALIDATE_ERROR'),
      no('TRANSACTION_EXPIRATION_ERROR'),
      no('SERVER_BUSY'),
    ]) {
      expect(await status(lost, second)).toBe('unknown')
    }
  })

  test('is busy if one node was busy, on any other answer', async () => {
    for (const first of [no('SERVER_BUSY'), new ThrottledError('held back', 1000)])
      expect(await status(first, no('SIGERROR'))).toBe('busy')
  })
})
