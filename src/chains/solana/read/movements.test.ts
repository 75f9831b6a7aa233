import { describe, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import {
  key,
  madeSolana,
  memoProgram,
  mint,
  payer,
  signatureOf,
} from '../../../../test/support/madeSolana.ts'
import { ProviderError, type Transfer } from '../../chain.ts'
import type { RpcLightBlock, RpcTransaction } from '../rpcTypes.ts'
import { touchedAddresses, transfersOf, transfersOfBlock } from './movements.ts'

const [alice, bob, carol, other] = [key('alice'), key('bob'), key('carol'), key('another mint')]
const brief = (transfers: readonly Transfer[]) =>
  transfers.map(({ contract, from, to, amount, only }) => [
    contract,
    from,
    to,
    amount,
    ...(only ? [only] : []),
  ])

/** The same transaction in the form of `transactionDetails: accounts`. */
function light({ transaction, meta }: RpcTransaction): NonNullable<RpcLightBlock['transactions']>[number] {
  if (Array.isArray(transaction)) throw new Error('made transactions are JSON')
  return {
    transaction: {
      signatures: transaction.signatures,
      accountKeys: transaction.message.accountKeys.map((pubkey) => ({ pubkey })),
    },
    meta,
  }
}

describe('tokens', () => {
  test('from one owner to another are one transfer, keyed by owner and mint', () => {
    const made = madeSolana({
      signature: signatureOf('paid'),
      tokens: [
        { owner: alice, before: 100n, after: 40n },
        { owner: bob, before: 7n, after: 67n },
      ],
    })
    expect(transfersOf(made)).toEqual([
      {
        txId: signatureOf('paid'),
        movementKey: `${bob}:${mint}`,
        contract: mint,
        from: alice,
        to: bob,
        amount: 60n,
      },
    ])
  })

  test('count in full to an account opened, and from one closed, in the transaction', () => {
    const made = madeSolana({
      tokens: [
        { owner: alice, before: 60n, after: null },
        { owner: bob, before: null, after: 60n },
      ],
    })
    expect(brief(transfersOf(made))).toEqual([[mint, alice, bob, 60n]])
  })

  test('between accounts of one owner are no transfer; to several accounts of one owner they are one', () => {
    const between = [
      { owner: bob, account: 1, before: 60n, after: 0n },
      { owner: bob, account: 2, before: 0n, after: 60n },
    ]
    expect(transfersOf(madeSolana({ tokens: between }))).toEqual([])
    const both = [
      { owner: alice, before: 60n, after: 0n },
      { owner: bob, account: 1, before: 0n, after: 20n },
      { owner: bob, account: 2, before: 0n, after: 40n },
    ]
    expect(brief(transfersOf(madeSolana({ tokens: both })))).toEqual([[mint, alice, bob, 60n]])
  })

  test('with a transfer fee give one transfer of the amount received, and one of the amount sent', () => {
    const tokens = [
      { owner: alice, before: 100n, after: 0n },
      { owner: bob, before: 0n, after: 99n },
    ]
    expect(brief(transfersOf(madeSolana({ tokens })))).toEqual([
      [mint, alice, bob, 99n, 'in'],
      [mint, alice, bob, 100n, 'out'],
    ])
  })

  test('that were minted come from the fee payer, as an incoming transfer only', () => {
    expect(brief(transfersOf(madeSolana({ tokens: [{ owner: bob, before: 0n, after: 5n }] })))).toEqual([
      [mint, payer, bob, 5n, 'in'],
    ])
  })

  test('that were burned go to their mint, as an outgoing transfer only', () => {
    const made = madeSolana({
      signature: signatureOf('burned'),
      tokens: [{ owner: alice, before: 5n, after: 1n }],
    })
    expect(transfersOf(made)).toEqual([
      {
        txId: signatureOf('burned'),
        movementKey: `${alice}:${mint}:out`,
        contract: mint,
        from: alice,
        to: mint,
        amount: 4n,
        only: 'out',
      },
    ])
  })

  test('of several mints are separate transfers; of several losers, each has its own', () => {
    const tokens = [
      { owner: alice, before: 9n, after: 0n },
      { owner: carol, before: 2n, after: 1n },
      { owner: bob, before: 0n, after: 10n },
      { owner: bob, mint: other, before: 30n, after: 0n },
      { owner: alice, mint: other, before: 0n, after: 30n },
    ]
    expect(brief(transfersOf(madeSolana({ tokens })))).toEqual([
      [mint, alice, bob, 10n, 'in'],
      [mint, alice, bob, 9n, 'out'],
      [mint, carol, bob, 1n, 'out'],
      [other, bob, alice, 30n],
    ])
  })

  test('beyond the range of a double are exact', () => {
    const tokens = [{ owner: bob, before: 1n, after: 2n ** 64n - 1n }]
    expect(brief(transfersOf(madeSolana({ tokens })))).toEqual([[mint, payer, bob, 2n ** 64n - 2n, 'in']])
  })

  test('in an account without its owner are refused: they cannot be attributed', () => {
    const made = madeSolana({ tokens: [{ before: 0n, after: 5n }] })
    expect(() => transfersOf(made)).toThrow(ProviderError)
    expect(() => touchedAddresses([light(made)])).toThrow(ProviderError)
  })
})

describe('SOL', () => {
  test('gained by an account is a transfer, by any instruction', () => {
    const made = madeSolana({
      payerBefore: 100,
      payerAfter: 30,
      accounts: [{ key: bob, before: 1, after: 66 }],
      meta: { fee: 5 },
    })
    expect(transfersOf(made)).toMatchObject([
      { movementKey: `${bob}:native`, contract: null, from: payer, to: bob, amount: 65n },
    ])
  })

  test('that pays the fee is not a transfer, nor part of one', () => {
    expect(transfersOf(madeSolana({ payerBefore: 100, payerAfter: 95, meta: { fee: 5 } }))).toEqual([])
    const accounts = [
      { key: alice, before: 9, after: 7 },
      { key: bob, before: 0, after: 2 },
    ]
    expect(
      brief(transfersOf(madeSolana({ payerBefore: 100, payerAfter: 95, accounts, meta: { fee: 5 } }))),
    ).toEqual([[null, alice, bob, 2n]])
  })

  test('received by the fee payer counts in full, without subtracting the fee', () => {
    const paid = (amount: number, fee: number) =>
      madeSolana({
        payerBefore: 10,
        payerAfter: 10 + amount - fee,
        accounts: [{ key: alice, before: 100, after: 100 - amount }],
        meta: { fee },
      })
    for (const made of [paid(60, 5), paid(5, 5), paid(3, 5)]) {
      const amount = BigInt(100 - (made.meta?.postBalances[1] ?? 0))
      expect(brief(transfersOf(made))).toEqual([[null, alice, payer, amount]])
      expect(touchedAddresses([light(made)]).toSorted()).toEqual([alice, payer].toSorted())
    }
  })

  test('of a transaction without its fee is refused: the payer’s amount would be wrong', () => {
    const made = madeSolana({
      payerBefore: 10,
      payerAfter: 14,
      accounts: [{ key: alice, before: 5, after: 0 }],
      meta: { fee: undefined as unknown as number },
    })
    expect(() => transfersOf(made)).toThrow(ProviderError)
    expect(() => touchedAddresses([light(made)])).toThrow(ProviderError)
  })

  test('of accounts in a lookup table counts too: writable ones, then read-only ones', () => {
    const meta = {
      preBalances: [9, 0, 0],
      postBalances: [1, 8, 0],
      loadedAddresses: { writable: [bob], readonly: [carol] },
    }
    expect(brief(transfersOf(madeSolana({ meta })))).toEqual([[null, payer, bob, 8n]])
  })

  test.each([
    ['a missing balance', { postBalances: [1] }],
    ['an extra balance', { preBalances: [1, 1, 1], postBalances: [1, 1, 1] }],
    [
      'missing accounts of its lookup table',
      { preBalances: [1, 1, 1], postBalances: [1, 1, 1], loadedAddresses: null },
    ],
  ])('in a transaction with %s is refused: balances could belong to other accounts', (_what, meta) => {
    expect(() => transfersOf(madeSolana({ accounts: [{ key: bob, before: 1, after: 1 }], meta }))).toThrow(
      ProviderError,
    )
  })
})

describe('a transaction', () => {
  const gain = { payerBefore: 9, payerAfter: 1, accounts: [{ key: bob, before: 0, after: 8 }] }

  test('that failed moved nothing, although its balances changed', () => {
    for (const err of [{ InstructionError: [0, { Custom: 1 }] }, 'AccountNotFound']) {
      const made = madeSolana({ ...gain, meta: { err } })
      expect([transfersOfBlock([made]), touchedAddresses([light(made)])]).toEqual([[], []])
    }
  })

  test('without its outcome is refused, not read as one that moved nothing', () => {
    const made = { ...madeSolana(gain), meta: null }
    expect(() => transfersOfBlock([made])).toThrow(ProviderError)
    expect(() => touchedAddresses([light(made)])).toThrow(ProviderError)
  })

  test('without a signature is refused', () => {
    const made = madeSolana(gain)
    expect(() =>
      transfersOf({ ...made, transaction: { signatures: [], message: { accountKeys: [payer, bob] } } }),
    ).toThrow(ProviderError)
  })

  test('has its memo, of outer and inner instructions, without NULs, which Postgres rejects', () => {
    const memo = (text: string) => ({
      programIdIndex: 2,
      accounts: [],
      data: base58.encode(Buffer.from(text)),
    })
    const accounts = [...gain.accounts, { key: memoProgram }]
    expect(transfersOf(madeSolana({ ...gain, accounts, instructions: [memo('order\0 7')] }))).toMatchObject([
      { memo: { type: 'text', value: 'order 7' } },
    ])
    const inner = { innerInstructions: [{ index: 0, instructions: [memo('from within')] }] }
    expect(
      transfersOf(madeSolana({ ...gain, accounts, instructions: [memo('one')], meta: inner })),
    ).toMatchObject([{ memo: { value: 'one\nfrom within' } }])
    // By a call of a program; base58 takes 1.37 digits a byte.
    const long = {
      innerInstructions: [{ index: 0, instructions: [{ ...memo(''), data: '2'.repeat(14_000) }] }],
    }
    expect(
      transfersOf(madeSolana({ ...gain, accounts, instructions: [memo('one')], meta: long })),
    ).toMatchObject([{ memo: { value: 'one' } }])
    const otherProgram = { ...memo('no memo'), programIdIndex: 1 }
    expect(
      transfersOf(madeSolana({ ...gain, accounts, instructions: [otherProgram] }))[0],
    ).not.toHaveProperty('memo')
  })
})

const owners = [alice, bob, carol, payer]
const amounts = fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { freq: 4 })
const histories = fc.array(
  fc.record({
    owner: fc.constantFrom(...owners),
    mint: fc.constantFrom(mint, other),
    before: amounts,
    after: amounts,
  }),
  {
    maxLength: 12,
  },
)

describe('for any balances before and after a transaction', () => {
  const changes = (
    tokens: readonly { owner: string; mint: string; before: bigint | null; after: bigint | null }[],
  ) => {
    const net = new Map<string, bigint>()
    for (const { owner, mint: of, before, after } of tokens) {
      net.set(`${owner}:${of}`, (net.get(`${owner}:${of}`) ?? 0n) + (after ?? 0n) - (before ?? 0n))
    }
    return net
  }

  test('incoming transfers are exactly the gains: less the losses, they sum to what was minted less what was burned', () => {
    fc.assert(
      fc.property(histories, (tokens) => {
        const net = changes(tokens)
        const received = transfersOf(madeSolana({ tokens })).filter(({ only }) => only !== 'out')
        expect(new Map(received.map(({ movementKey, amount }) => [movementKey, amount]))).toEqual(
          new Map([...net].filter(([, by]) => by > 0n)),
        )
        for (const token of [mint, other]) {
          const [own, supply] = [
            [...net].filter(([name]) => name.endsWith(`:${token}`)),
            tokens.filter((each) => each.mint === token),
          ]
          const minted = supply.reduce((sum, { before, after }) => sum + (after ?? 0n) - (before ?? 0n), 0n)
          const lost = own.reduce((sum, [, by]) => sum + (by < 0n ? -by : 0n), 0n)
          const gained = received
            .filter(({ contract }) => contract === token)
            .reduce((sum, { amount }) => sum + amount, 0n)
          expect(gained - lost).toBe(minted)
        }
      }),
    )
  })

  test('outgoing transfers of each owner are exactly its loss', () => {
    fc.assert(
      fc.property(histories, (tokens) => {
        const sent = new Map<string, bigint>()
        for (const { from, contract, amount, only } of transfersOf(madeSolana({ tokens }))) {
          const name = `${from}:${contract}`
          if (only !== 'in') sent.set(name, (sent.get(name) ?? 0n) + amount)
        }
        expect(sent).toEqual(
          new Map([...changes(tokens)].flatMap(([name, by]) => (by < 0n ? [[name, -by] as const] : []))),
        )
      }),
    )
  })

  test('transfers of lamports are the gains and losses of each account, without the fee', () => {
    const changes = fc.array(
      fc.record({ key: fc.constantFrom(alice, bob, carol), before: fc.nat(20), after: fc.nat(20) }),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(changes, fc.integer({ min: -9, max: 9 }), fc.nat(9), (accounts, by, fee) => {
        const each = [...new Map(accounts.map((account) => [account.key, account])).values()]
        const made = madeSolana({ payerBefore: 50, payerAfter: 50 + by - fee, accounts: each, meta: { fee } })
        const net = [{ key: payer, before: 0, after: by }, ...each].map(
          ({ key: owner, before, after }) => [owner, BigInt(after - before)] as const,
        )
        const found = transfersOf(made)
        const gained = found
          .filter(({ only }) => only !== 'out')
          .map(({ to, amount }) => [to, amount] as const)
        expect(new Map(gained)).toEqual(new Map(net.filter(([, amount]) => amount > 0n)))
        const lost = new Map<string, bigint>()
        for (const { from, amount, only } of found)
          if (only !== 'in') lost.set(from, (lost.get(from) ?? 0n) + amount)
        expect(lost).toEqual(
          new Map(net.flatMap(([owner, amount]) => (amount < 0n ? [[owner, -amount] as const] : []))),
        )
      }),
    )
  })

  test('every sender and recipient is among the touched addresses of the block without amounts', () => {
    const lamports = fc.array(
      fc.record({ key: fc.constantFrom(alice, bob, carol), before: fc.nat(9), after: fc.nat(9) }),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(histories, lamports, (tokens, accounts) => {
        const made = madeSolana({ tokens, accounts })
        const named = new Set(touchedAddresses([light(made)]))
        expect(transfersOf(made).filter(({ to, only }) => only !== 'out' && !named.has(to))).toEqual([])
        expect(transfersOf(made).filter(({ from, only }) => only !== 'in' && !named.has(from))).toEqual([])
      }),
    )
  })
})
