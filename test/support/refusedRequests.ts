import { type ChainName, knownChain } from '../../src/chains/registry.ts'
import { newPayer } from './payers.ts'
import type { Body, Way } from './preflight.ts'
import type { Stack } from './stack.ts'

/** The subject of a request: a chain, its sender, and possible recipients. */
export interface Place {
  stack: Stack
  chain: ChainName
  /** Has coin and tokens. */
  payer: { address: string }
  recipient: string
  /** On Stellar: an account without trustlines, and one that requires a memo. */
  bare: string
  shop: string
}

/** A request for a transfer that must be refused, and how. */
export interface Refusal {
  name: string
  /** The bad fields, in place of good ones. */
  body: (at: Place) => Body
  /** 400 by default. */
  status?: number
  error: string
  fields: string[]
  /** The message names the chain. */
  namesChain?: boolean
  /** Only these ways are tried. */
  ways?: readonly Way[]
}

export const invalid = 'Invalid request body'
export const isEvm = (chain: ChainName) => knownChain(chain)?.family === 'evm'
export const hasUsdc = (chain: ChainName) => chain !== 'tron'
export const hasUsdt = (chain: ChainName) => chain !== 'base'
/** A token of the chain. */
export const tokenOf = (chain: ChainName) => (hasUsdc(chain) ? 'usdc' : 'usdt')
/** Stellar's tokens are not sent without a memo. */
export const tokenBody = (chain: ChainName): Body => ({
  token: tokenOf(chain),
  ...(chain === 'stellar' && { memo: '7', memoType: 'id' }),
})

const oneOfEach = ['ethereum', 'solana', 'tron', 'stellar'] as const
/** One chain of each other family. */
const otherFamilies = (chain: ChainName) =>
  oneOfEach.filter((each) => knownChain(each)?.family !== knownChain(chain)?.family)
/** Keys of chains with other formats: those of EVM and of Tron are the same 32 bytes. */
const otherKeys = (chain: ChainName) =>
  otherFamilies(chain).filter(
    (each) => !['ethereum', 'tron'].includes(each) || !(isEvm(chain) || chain === 'tron'),
  )

export const badKeys = (chain: ChainName): Refusal[] => {
  const keys: [string, () => string][] = [
    ['an invalid key', () => 'nonsense'],
    ['a key of zeros', () => '0'.repeat(64)],
    ['a key that is too long', () => `${newPayer('ethereum').privateKey}00`],
    ...otherKeys(chain).map((other): [string, () => string] => [
      `a key of ${other}`,
      () => newPayer(other).privateKey,
    ]),
  ]
  return keys.map(([name, key]) => ({
    name,
    body: () => ({ fromPrivateKey: key() }),
    error: 'invalid_private_key',
    fields: ['fromPrivateKey'],
    namesChain: true,
    ways: ['tokens'],
  }))
}

export const badAddresses = (chain: ChainName): Refusal[] => {
  const bad = (
    name: string,
    body: Refusal['body'],
    error = 'invalid_address',
    fields = ['toAddress'],
  ): Refusal => ({
    name,
    body,
    error,
    fields,
    namesChain: true,
  })
  return [
    ...['nonsense', '0x', `0x${'1'.repeat(41)}`, 'G'.repeat(56)].map((toAddress) =>
      bad(`to ${toAddress.slice(0, 12)}`, () => ({ toAddress })),
    ),
    // On Solana any 32 bytes are an address; only the length can be wrong.
    bad('to a mistyped address', ({ recipient }) => ({
      toAddress: chain === 'solana' ? recipient.slice(0, -4) : mistyped(recipient),
    })),
    ...otherFamilies(chain).map((other) =>
      bad(`to an address of ${other}`, () => ({ toAddress: newPayer(other).address }), 'wrong_chain_address'),
    ),
    ...otherFamilies(chain).map(
      (other): Refusal => ({
        ...bad(
          `from an address of ${other}`,
          () => ({ fromAddress: newPayer(other).address }),
          'wrong_chain_address',
          ['fromAddress'],
        ),
        ways: ['estimate', 'prepare'],
      }),
    ),
  ]
}

/** EVM: the case of one letter, which EIP-55 checks; on other chains a letter that the checksum covers. */
function mistyped(address: string): string {
  if (!address.startsWith('0x'))
    return `${address.slice(0, -6)}${address.at(-6) === 'A' ? 'B' : 'A'}${address.slice(-5)}`
  const at = address.slice(2).search(/[a-f]/i) + 2
  const letter = address.charAt(at)
  return `${address.slice(0, at)}${letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()}${address.slice(at + 1)}`
}

/** @param decimals of the token */
export const badAmounts = (chain: ChainName, decimals: number): Refusal[] => {
  const tooFine = (digits: number) => `0.${'0'.repeat(digits)}1`
  const amounts = [
    '0',
    '0.0',
    '-1',
    '+1',
    '1e3',
    '1,5',
    '',
    ' 1',
    '.5',
    '01',
    '9'.repeat(19),
    tooFine(knownChain(chain)?.native.decimals ?? 18),
    5,
    null,
  ]
  return [
    ...amounts.map((amount) => ({
      name: `amount ${JSON.stringify(amount)}`,
      body: () => ({ amount }),
      error: invalid,
      fields: ['amount'],
    })),
    {
      name: 'an amount finer than the token',
      body: () => ({ ...tokenBody(chain), amount: tooFine(decimals) }),
      error: invalid,
      fields: ['amount'],
    },
  ]
}

export const badTokens = (chain: ChainName): Refusal[] => {
  const bad = (token: unknown, namesChain = false): Refusal => ({
    name: `token ${JSON.stringify(token)}`,
    body: () => ({ token }),
    error: invalid,
    fields: ['token'],
    namesChain,
  })
  return [
    ...['dai', 'USDC', '', 5].map((token) => bad(token)),
    ...(hasUsdc(chain) ? [] : [bad('usdc', true)]),
    ...(hasUsdt(chain) ? [] : [bad('usdt', true)]),
  ]
}
