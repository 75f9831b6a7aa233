import { base58 } from '@scure/base'
import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import { sound } from '../providers/sound.ts'
import { commitment } from './read/header.ts'
import type { HeldAccount } from './tokenSources.ts'

/**
 * Requests only the head of a token account: mint, owner, amount, delegate and state (SPL Token, `Account`).
 */
const dataSlice = { offset: 0, length: 109 }
const [ownerAt, amountAt, delegateAt, stateAt, frozen] = [32, 64, 72, 108, 2]

interface Answered {
  value: { pubkey: string; account: { data: [string, string] } }[]
}

/** The token accounts of an owner of one mint, which is of this token program. */
export async function heldAccountsOf(
  rpc: JsonRpc,
  owner: string,
  program: string,
  mint: string,
): Promise<HeldAccount[]> {
  return (await heldBy(rpc, owner, program, { filter: { mint }, mints: [mint] })).get(mint) ?? []
}

/** The token accounts of an owner under one token program, by mint; of these mints alone. */
export const heldAccounts = (
  rpc: JsonRpc,
  owner: string,
  program: string,
  mints: readonly string[],
): Promise<Map<string, HeldAccount[]>> =>
  heldBy(rpc, owner, program, { filter: { programId: program }, mints })

/** Anyone may open accounts for an owner: those of mints that were not requested cost no work. */
async function heldBy(
  rpc: JsonRpc,
  owner: string,
  program: string,
  { filter, mints }: { filter: object; mints: readonly string[] },
): Promise<Map<string, HeldAccount[]>> {
  const answered = await rpc.call('getTokenAccountsByOwner', [
    owner,
    filter,
    { commitment, encoding: 'base64', dataSlice },
  ])
  return sound(() => {
    const held = new Map<string, HeldAccount[]>()
    const associated = new Map(mints.map((each) => [each, associatedAccount(each, owner, program)]))
    const seen = new Set<string>()
    for (const { pubkey, account } of (answered as Answered).value) {
      const data = Buffer.from(account.data[0], 'base64')
      const [itsMint, itsOwner] = [
        base58.encode(data.subarray(0, ownerAt)),
        base58.encode(data.subarray(ownerAt, amountAt)),
      ]
      if (itsOwner !== owner) throw new ProviderError(`${rpc.name} returned a token account of another owner`)
      if (!associated.has(itsMint)) continue
      const address = new PublicKey(pubkey).toBase58()
      if (seen.has(address)) throw new ProviderError(`${rpc.name} returned a token account twice`)
      seen.add(address)
      const ofMint = held.get(itsMint) ?? []
      ofMint.push({
        address,
        amount: data.readBigUInt64LE(amountAt),
        isFrozen: data.readUInt8(stateAt) === frozen,
        hasDelegate: data.readUInt32LE(delegateAt) !== 0,
        isAssociated: address === associated.get(itsMint),
      })
      held.set(itsMint, ofMint)
    }
    return held
  })
}

/** An owner may be off the curve: a program's address, such as a shared wallet. */
export const associatedAccount = (mint: string, owner: string, program: string): string =>
  getAssociatedTokenAddressSync(
    new PublicKey(mint),
    new PublicKey(owner),
    true,
    new PublicKey(program),
  ).toBase58()
