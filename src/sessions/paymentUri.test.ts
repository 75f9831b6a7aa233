import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Chain, ChainName, Token, TokenSymbol } from '../chains/registry.ts'
import { knownChain, tokenOf } from '../chains/registry.ts'
import { muxed } from '../chains/stellar/address.ts'
import { paymentAddress, paymentUri } from './paymentUri.ts'

// The account from SEP-23's test cases; the other addresses are contracts and mints, which have the same
// form.
const account = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'
const deposit = muxed(account, 4_503_599_627_370_495n)
const solanaAccount = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const tronAccount = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c'

function on(name: ChainName, symbol: TokenSymbol): { chain: Chain; token: Token } {
  const chain = knownChain(name)
  const token = chain && tokenOf(chain, symbol)
  if (!chain || !token) throw new Error(`no ${symbol} on ${name}`)
  return { chain, token }
}
const uri = (
  name: ChainName,
  symbol: TokenSymbol,
  address: string,
  amount: bigint,
  label: string | null = null,
) => paymentUri({ ...on(name, symbol), address, amount, label })

describe('a payment URI', () => {
  test('on an EVM chain is EIP-681: the contract call, in base units', () => {
    const address = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
    expect(uri('polygon', 'USDC', address, 3_152_884n, 'Table 4')).toBe(
      'ethereum:0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359@137/transfer?address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&uint256=3152884',
    )
  })

  test('on Solana is a Solana Pay transfer request: whole tokens, the mint, and the label', () => {
    const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
    expect(uri('solana', 'USDC', solanaAccount, 25_500_000n)).toBe(
      `solana:${solanaAccount}?amount=25.5&spl-token=${mint}`,
    )
    expect(uri('solana', 'USDC', solanaAccount, 1n, 'Café & Söhne #7')).toBe(
      `solana:${solanaAccount}?amount=0.000001&spl-token=${mint}&label=Caf%C3%A9%20%26%20S%C3%B6hne%20%237`,
    )
  })

  test('on Tron has the address in base58, whole tokens and the contract', () => {
    const shown = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
    expect(uri('tron', 'USDT', tronAccount, 25_500_000n, 'Table 4')).toBe(
      `tron:${shown}?amount=25.5&token=${shown}`,
    )
  })

  test('on Stellar is SEP-7: account, whole tokens, code and issuer, and the id as a memo', () => {
    expect(uri('stellar', 'USDC', deposit, 255_000_000n)).toBe(
      `web+stellar:pay?destination=${account}&amount=25.5&asset_code=USDC&asset_issuer=GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN&memo=4503599627370495&memo_type=MEMO_ID`,
    )
  })
})

describe('the amount', () => {
  test.each([
    ['solana', 'USDC', solanaAccount, 6],
    ['tron', 'USDT', tronAccount, 6],
    ['stellar', 'USDC', deposit, 7],
  ] as const)('on %s is a full plain decimal, for any amount', (name, symbol, address, decimals) => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), (amount) => {
        const shownAmount =
          new URLSearchParams(uri(name, symbol, address, amount).split('?')[1]).get('amount') ?? ''
        expect(shownAmount).toMatch(/^\d+(\.\d*[1-9])?$/)
        const [whole = '', fraction = ''] = shownAmount.split('.')
        expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(amount)
      }),
    )
  })
})

describe('the payment address', () => {
  test('is an address, on Stellar with the memo that identifies the deposit', () => {
    expect(paymentAddress('evm', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')).toEqual({
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    })
    expect(paymentAddress('solana', solanaAccount)).toEqual({ address: solanaAccount })
    expect(paymentAddress('tron', tronAccount)).toEqual({ address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' })
    expect(paymentAddress('stellar', deposit)).toEqual({
      address: account,
      memo: '4503599627370495',
      memoType: 'id',
      muxedAddress: deposit,
    })
  })
})
