import { expect, test } from '@jest/globals'
import { ACCOUNT_SIZE, AccountLayout, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import type { Account } from '../chainState.ts'
import type { State } from '../send/planCalls.ts'
import { isCredited } from './isCredited.ts'

const keyOf = (byte: number) => new PublicKey(new Uint8Array(32).fill(byte))
const [from, mint, other, sold, bought] = [1, 2, 3, 4, 5].map((byte) => keyOf(byte).toBase58()) as [
  string,
  string,
  string,
  string,
  string,
]
const proof = {
  ...{ from, to: from, opens: [], unwraps: false },
  sold: { mint, account: sold, amount: 2n },
  bought: { mint: other, account: bought, amount: 1n },
}

function token(of: string, amount: bigint, owner = 1): Account {
  const data = Buffer.alloc(ACCOUNT_SIZE)
  const state = {
    owner: keyOf(owner),
    mint: new PublicKey(of),
    amount,
    state: 1,
    isNative: 0n,
    isNativeOption: 0 as const,
    delegatedAmount: 0n,
  }
  const none = {
    delegateOption: 0 as const,
    delegate: PublicKey.default,
    closeAuthorityOption: 0 as const,
    closeAuthority: PublicKey.default,
  }
  AccountLayout.encode({ ...state, ...none }, data)
  return { owner: TOKEN_PROGRAM_ID.toBase58(), lamports: 10n, executable: false, data }
}
const wallet = (lamports: bigint): Account => ({
  owner: '11111111111111111111111111111111',
  lamports,
  executable: false,
  data: Buffer.alloc(0),
})
/** The sender's SOL, what it has of the sold token, and of the bought one. */
const state = (lamports: bigint, has: bigint, gets: bigint, more: [string, Account | null][] = []): State =>
  new Map<string, Account | null>([
    [from, wallet(lamports)],
    [sold, token(mint, has)],
    [bought, token(other, gets)],
    ...more,
  ])

/** A node that has these accounts now. */
function nodeWith(now: State): JsonRpc {
  const shown = (account: Account | null | undefined) =>
    account
      ? {
          ...account,
          lamports: Number(account.lamports),
          data: [Buffer.from(account.data).toString('base64'), 'base64'],
        }
      : null
  const call = async (_method: string, [addresses]: [string[]]) => ({
    value: addresses.map((each) => shown(now.get(each))),
  })
  return { name: 'node', call } as unknown as JsonRpc
}

const before = state(100n, 9n, 4n)
/** Its fee is 5, it sells 2 and buys 1; 3 lamports more than before were there. */
const [fee, after] = [5n, state(98n, 7n, 5n)]

test.each<[string, State, State, boolean]>([
  ['a payment of the difference', state(103n, 9n, 4n), after, true],
  ['no payment', before, after, false],
  ['a payment of less', state(102n, 9n, 4n), after, false],
  ['a payment of more', state(104n, 9n, 4n), after, false],
  ['a payment, and SOL that has left', state(99n, 9n, 6n), after, false],
  ['a payment in the bought token', state(100n, 9n, 6n), state(95n, 7n, 7n), true],
  [
    'a payment in the bought token that hides too small a price',
    state(100n, 9n, 6n),
    state(95n, 7n, 6n),
    false,
  ],
  ['a payment in the sold token', state(100n, 12n, 4n), state(95n, 10n, 5n), true],
  ['a payment in the sold token that hides a higher price', state(100n, 12n, 4n), state(95n, 9n, 5n), false],
  ['a payment, and a sold token that has left', state(103n, 8n, 4n), after, false],
  ['a payment, and an account that is closed', state(103n, 9n, 4n, [[sold, null]]), after, false],
  [
    'a payment, and an account with another owner',
    state(103n, 9n, 4n, [[sold, token(mint, 9n, 7)]]),
    after,
    false,
  ],
])('a run that was not proven is explained by %s', async (_what, now, ran, isExplained) => {
  expect(await isCredited(nodeWith(now), proof, { before, after: ran, fee })).toBe(isExplained)
})

test('a node that does not answer explains nothing', async () => {
  const rpc = { name: 'node', call: () => Promise.reject(new ProviderError('down')) } as unknown as JsonRpc
  await expect(isCredited(rpc, proof, { before, after, fee })).rejects.toThrow('down')
})
