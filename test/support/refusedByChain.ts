import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { Account, MuxedAccount } from '@stellar/stellar-sdk'
import type { ChainName } from '../../src/chains/registry.ts'
import { contractOf, newPayer } from './payers.ts'
import type { Body } from './preflight.ts'
import { hasUsdc, invalid, isEvm, type Place, type Refusal, tokenBody } from './refusedRequests.ts'

const contract = ({ stack, chain }: Place) => contractOf(stack, chain, hasUsdc(chain) ? 'USDC' : 'USDT')

/** Recipients that could never return the money. */
export function tokensAsRecipients(chain: ChainName): Refusal[] {
  const to = (name: string, toAddress: (at: Place) => string, body: Body = {}): Refusal => ({
    name: `to ${name}`,
    body: (at) => ({ toAddress: toAddress(at), ...body }),
    status: 422,
    error: 'recipient_is_token',
    fields: ['toAddress'],
  })
  const both = (name: string, toAddress: (at: Place) => string) => [
    to(name, toAddress, tokenBody(chain)),
    to(`${name}, coin`, toAddress),
  ]
  // The issuer can spend its lumens.
  if (chain === 'stellar')
    return [to('the issuer of the token', (at) => contract(at).split(':')[1] ?? '', tokenBody(chain))]
  const known = both('the contract of the token', contract)
  if (chain === 'tron') return known
  if (chain === 'solana') {
    const account = (at: Place) =>
      getAssociatedTokenAddressSync(new PublicKey(contract(at)), new PublicKey(at.payer.address)).toBase58()
    return [...known, ...both('an account that holds tokens', account)]
  }
  return [
    ...known,
    ...both('the contract of an unknown token', ({ stack }) => stack.devnets.get(chain)?.fakeUsdc ?? ''),
  ]
}

/** Features that only some families have. */
export const byFamily = (chain: ChainName): Refusal[] => [
  ...(isEvm(chain) ? gas() : [override('gasPrice', '1000000000'), override('gasLimit', '100000')]),
  ...(chain === 'stellar' ? memosAndAccounts() : noMemos()),
  ...(chain === 'solana'
    ? [rent(), toUnusable('1nc1nerator11111111111111111111111111111111'), unopened()]
    : []),
  ...(chain === 'tron' ? [toUnusable('T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb')] : []),
]

const override = (field: string, value: unknown): Refusal => ({
  name: `${field} ${JSON.stringify(value)}`,
  body: () => ({ [field]: value }),
  error: invalid,
  fields: [field],
  ways: ['tokens', 'estimate', 'prepare'],
})

const toUnusable = (toAddress: string): Refusal => ({
  name: 'to an address without an owner',
  body: () => ({ toAddress }),
  status: 422,
  error: 'recipient_without_key',
  fields: ['toAddress'],
})

/** The address of a token account that does not exist: off the curve, so that no key signs for it. */
const unopened = (): Refusal => ({
  ...toUnusable(''),
  name: 'to a token account that was never opened',
  body: (at) => ({
    toAddress: getAssociatedTokenAddressSync(
      new PublicKey(contract(at)),
      new PublicKey(newPayer('solana').address),
    ).toBase58(),
    ...tokenBody('solana'),
  }),
})

const gas = (): Refusal[] => [
  ...['0', '-1', '1.5', '0x1', '1000000000000001', 7].map((price) => override('gasPrice', price)),
  ...['0', '30000001', '1e5'].map((limit) => override('gasLimit', limit)),
  { ...override('gasPrice', '1'), status: 422, error: 'fee_too_low' },
  { ...override('gasLimit', '20999'), status: 422, error: 'fee_too_low' },
  toUnusable(`0x${'0'.repeat(40)}`),
]

const noMemos = (): Refusal[] => [
  { name: 'a memo', body: () => ({ memo: 'x' }), error: invalid, fields: ['memo'], namesChain: true },
  {
    name: 'a type of memo',
    body: () => ({ memoType: 'id' }),
    error: invalid,
    fields: ['memoType'],
    namesChain: true,
  },
]

/** An account without data must hold 890,880 lamports (Solana docs, "Rent"). */
const rent = (): Refusal => ({
  name: 'less than a new account must hold',
  body: () => ({ toAddress: newPayer('solana').address, amount: '0.000890879' }),
  status: 422,
  error: 'below_minimum_balance',
  fields: ['amount'],
})

function memosAndAccounts(): Refusal[] {
  const usdc = tokenBody('stellar')
  const memo = (name: string, body: Body): Refusal => ({
    name,
    body: () => body,
    error: invalid,
    fields: ['memo'],
  })
  const refused = (name: string, error: string, body: Refusal['body'], fields = ['toAddress']): Refusal => ({
    name,
    body,
    status: 422,
    error,
    fields,
  })
  const toMuxed = ({ recipient }: Place) => ({
    ...usdc,
    toAddress: new MuxedAccount(new Account(recipient, '0'), '5').accountId(),
  })
  const toNew = () => ({ toAddress: newPayer('stellar').address })
  return [
    memo('USDC without a memo', { token: 'usdc' }),
    memo('USDT without a memo', { token: 'usdt' }),
    memo('a memo of 29 bytes', { memo: 'x'.repeat(29) }),
    memo('an invalid id', { memo: 'x', memoType: 'id' }),
    memo('an id of 65 bits', { memo: String(2n ** 64n), memoType: 'id' }),
    memo('an invalid hash', { memo: 'ab', memoType: 'hash' }),
    memo('a type without a memo', { memoType: 'id' }),
    { ...memo('a memo with a muxed address', {}), body: toMuxed },
    refused('USDC to an account without a trustline', 'recipient_without_trustline', ({ bare }) => ({
      ...usdc,
      toAddress: bare,
    })),
    refused('coin to an account that is not a public key', 'recipient_without_key', () => ({
      toAddress: 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF',
    })),
    refused('USDC to no account', 'recipient_not_found', () => ({ ...usdc, ...toNew() })),
    refused(
      'less than opens an account',
      'below_minimum_balance',
      () => ({ ...toNew(), amount: '0.9999999' }),
      ['amount'],
    ),
    refused(
      'coin without the memo that its recipient requires (SEP-29)',
      'memo_required',
      ({ shop }) => ({ toAddress: shop }),
      ['memo'],
    ),
  ]
}
