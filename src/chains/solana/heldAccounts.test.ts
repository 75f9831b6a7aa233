import { expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import { PublicKey } from '@solana/web3.js'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import { associatedAccount, heldAccounts, heldAccountsOf } from './heldAccounts.ts'

const program = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const bytes = (seed: number) => Uint8Array.from({ length: 32 }, (_, at) => (seed >> (8 * (at % 4))) & 255)
const address = (seed: number) => base58.encode(bytes(seed))
const [owner, mint, other] = [address(7), address(8), address(9)]

/** As `getTokenAccountsByOwner` answers it: mint, owner, amount (SPL Token, `Account`). */
function account(pubkey: string, ofMint: string, amount: bigint, by = owner) {
  const data = Buffer.alloc(109)
  data.set(base58.decode(ofMint), 0)
  data.set(base58.decode(by), 32)
  data.writeBigUInt64LE(amount, 64)
  data.writeUInt8(1, 108)
  return { pubkey, account: { data: [data.toString('base64'), 'base64'] } }
}

function answering(value: object[]) {
  const asked: unknown[] = []
  const rpc = {
    name: 'node',
    async call(_method: string, params: unknown) {
      asked.push(params)
      return { value }
    },
  }
  return { rpc: rpc as unknown as JsonRpc, asked }
}

test('accounts of mints that were not requested cost no work, and are not in the answer', async () => {
  const dust = Array.from({ length: 50_000 }, (_, index) => account(`not an address ${index}`, other, 1n))
  const { rpc } = answering([
    ...dust,
    account(associatedAccount(mint, owner, program), mint, 5n),
    account(address(77), mint, 6n),
  ])
  const held = await heldAccounts(rpc, owner, program, [mint, address(10)])
  expect([...held.keys()]).toEqual([mint])
  expect(held.get(mint)?.map(({ amount, isAssociated }) => [amount, isAssociated])).toEqual([
    [5n, true],
    [6n, false],
  ])
})

test('one mint is read by itself where its program is known; otherwise the accounts of a program, for a mint is of one program', async () => {
  const { rpc, asked } = answering([])
  await heldAccountsOf(rpc, owner, program, mint)
  await heldAccounts(rpc, owner, program, [mint])
  expect(asked.map((params) => (params as unknown[])[1])).toEqual([{ mint }, { programId: program }])
})

test('an account that is listed twice, and one of another owner, are refused', async () => {
  const twice = account(new PublicKey(bytes(12)).toBase58(), mint, 5n)
  await expect(heldAccounts(answering([twice, twice]).rpc, owner, program, [mint])).rejects.toThrow(
    'a token account twice',
  )
  const strange = account(address(13), other, 5n, address(99))
  await expect(heldAccounts(answering([strange]).rpc, owner, program, [mint])).rejects.toThrow(
    'of another owner',
  )
})
