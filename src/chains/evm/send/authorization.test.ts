import { expect, test } from '@jest/globals'
import {
  type Address,
  decodeFunctionData,
  type Hex,
  hashTypedData,
  parseSignature,
  recoverTypedDataAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Secret } from '../../../platform/secrets.ts'
import { registry } from '../../registry.ts'
import {
  authorizationDigest,
  domainSeparator,
  eip3009Abi,
  signDigest,
  transferWithAuthorizationCall,
} from './authorization.ts'

/** `DOMAIN_SEPARATOR()` of Circle's contracts on each chain, as block explorers show it. */
const onChain: Record<string, Hex> = {
  ethereum: '0x06c37168a7db5138defc7866392bb87a741f9b3d104deb5094588ce041cae335',
  polygon: '0xcaa2ce1a5703ccbe253a34eb3166df60a705c561b44b192061e28f2a985be2ca',
  base: '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f',
  arbitrum: '0x08d11903f8419e68b1b8721bcbe2e9fc68569122a77ef18c216f10b3b5112c78',
  optimism: '0x26d9c34bb1a1c312f69c53b2d93b8be20faafba63af2438c6811713c9b1f933f',
}

test('the domains of the registry are those of the contracts; Binance’s USDC and every USDT have no domain', () => {
  const found = registry.flatMap(({ name, network, tokens }) =>
    tokens.flatMap(({ authorized, contract, symbol }) =>
      authorized && contract
        ? [[name, symbol, domainSeparator({ ...authorized, chainId: BigInt(network), contract })]]
        : [],
    ),
  )
  expect(found).toEqual(Object.entries(onChain).map(([name, separator]) => [name, 'USDC', separator]))
})

const contract: Address = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const key: Hex = `0x${'8'.repeat(64)}`
const holder = privateKeyToAccount(key).address
const treasury: Address = '0x00000000000000000000000000000000000000aa'
const nonce = Buffer.alloc(32, 0xab)
const validBefore = new Date('2027-01-02T03:04:05.678Z')
const typed = {
  domain: { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: contract },
  types: {
    TransferWithAuthorization: [
      { name: 'from', type: 'address' },
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'validAfter', type: 'uint256' },
      { name: 'validBefore', type: 'uint256' },
      { name: 'nonce', type: 'bytes32' },
    ],
  },
  primaryType: 'TransferWithAuthorization',
  message: {
    from: holder,
    to: treasury,
    value: 12_345_678n,
    validAfter: 0n,
    validBefore: BigInt(Math.floor(validBefore.getTime() / 1000)),
    nonce: `0x${nonce.toString('hex')}`,
  },
} as const

test('digest, signature and calldata are those of the chain’s public library', async () => {
  const move = { from: holder, to: treasury, amount: 12_345_678n }
  const digest = authorizationDigest({ name: 'USD Coin', version: '2', chainId: 1n, contract }, move, {
    nonce,
    validBefore,
  })
  expect(digest).toBe(hashTypedData(typed))
  const signature = signDigest(digest, new Secret(key))
  const inHex: Hex = `0x${Buffer.from(signature).toString('hex')}`
  expect(inHex).toBe(await privateKeyToAccount(key).signTypedData(typed))
  expect(await recoverTypedDataAddress({ ...typed, signature: inHex })).toBe(holder)
  const { r, s, v } = parseSignature(inHex)
  const { functionName, args } = decodeFunctionData({
    abi: eip3009Abi,
    data: transferWithAuthorizationCall(move, { nonce, validBefore, signature }),
  })
  const { validBefore: end, nonce: word } = typed.message
  expect([functionName, args]).toEqual([
    'transferWithAuthorization',
    [holder, '0x00000000000000000000000000000000000000AA', 12_345_678n, 0n, end, word, Number(v), r, s],
  ])
})
