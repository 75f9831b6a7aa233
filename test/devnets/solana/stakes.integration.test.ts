import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Authorized, Keypair, PublicKey, StakeProgram, TransactionInstruction } from '@solana/web3.js'
import { type SolanaDevnet, startSolanaDevnet } from '../solana.ts'
import { clockAddress } from './epochs.ts'
import { devnetChain, pay, rpc, send, type TestChain } from './testWallet.ts'

/** Stakes and epochs of the devnet, by the library and the stake program alone. */
const sol = 1_000_000_000
let devnet: SolanaDevnet
let chain: TestChain

beforeAll(async () => {
  devnet = await startSolanaDevnet({ blockMs: 0, finalizedDepth: 4 })
  chain = devnetChain(devnet)
})
afterAll(() => devnet.stop())

const ask = async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
  const { result, error } = await rpc(devnet.rpcUrl, method, params)
  if (error) throw new Error(`${error.code} ${error.message}`)
  return result as T
}
const confirmed = { commitment: 'confirmed' } as const
const endEpoch = (params: object = {}) => devnet.control<{ epoch: number; height: number }>('epoch', params)

interface VoteAccount {
  votePubkey: string
  activatedStake: number
  lastVote: number
}
const voteAccounts = (config: object = {}) =>
  ask<{ current: VoteAccount[]; delinquent: VoteAccount[] }>('getVoteAccounts', [{ ...confirmed, ...config }])

/** A stake of the faucet. */
async function stake(lamports: number): Promise<PublicKey> {
  const { current } = await voteAccounts()
  const [{ publicKey: basePubkey }, seed] = [
    chain.faucet,
    Keypair.generate().publicKey.toBase58().slice(0, 32),
  ]
  const stakePubkey = await PublicKey.createWithSeed(basePubkey, seed, StakeProgram.programId)
  const authorized = new Authorized(basePubkey, basePubkey)
  const rent = await chain.connection.getMinimumBalanceForRentExemption(StakeProgram.space)
  const votePubkey = new PublicKey(current[0]?.votePubkey ?? '')
  const all = { fromPubkey: basePubkey, basePubkey, seed, stakePubkey, authorized, lamports: lamports + rent }
  await send(chain, [
    ...StakeProgram.createAccountWithSeed(all).instructions,
    ...StakeProgram.delegate({ stakePubkey, authorizedPubkey: basePubkey, votePubkey }).instructions,
  ])
  return stakePubkey
}
const deactivate = (stakePubkey: PublicKey) =>
  send(chain, StakeProgram.deactivate({ stakePubkey, authorizedPubkey: chain.faucet.publicKey }).instructions)
const withdraw = (stakePubkey: PublicKey, toPubkey: PublicKey, lamports: number) =>
  send(
    chain,
    StakeProgram.withdraw({ stakePubkey, authorizedPubkey: chain.faucet.publicKey, toPubkey, lamports })
      .instructions,
  )
const balance = (key: PublicKey) => chain.connection.getBalance(key, 'confirmed')

describe('validators', () => {
  test('one votes, one is delinquent; a vote account can be requested by its address', async () => {
    const { current, delinquent } = await voteAccounts()
    expect([current.length, delinquent.length]).toEqual([1, 1])
    const [good, bad] = [current[0]?.votePubkey, delinquent[0]?.votePubkey]
    expect(await voteAccounts({ votePubkey: good })).toEqual({ current, delinquent: [] })
    expect(await voteAccounts({ votePubkey: bad })).toEqual({ current: [], delinquent })
    expect(await voteAccounts({ votePubkey: Keypair.generate().publicKey.toBase58() })).toEqual({
      current: [],
      delinquent: [],
    })
    const account = await chain.connection.getAccountInfo(new PublicKey(good ?? ''), 'confirmed')
    expect(account?.owner.toBase58()).toBe('Vote111111111111111111111111111111111111111')
    await expect(voteAccounts({ votePubkey: 'no key' })).rejects.toThrow('-32602')
  })

  test('the minimum is that of the stake program', async () => {
    const { value } = await ask<{ value: number }>('getStakeMinimumDelegation', [confirmed])
    const getMinimumDelegation = 13
    const question = new TransactionInstruction({
      programId: StakeProgram.programId,
      keys: [],
      data: Buffer.from(Uint32Array.of(getMinimumDelegation).buffer),
    })
    const signature = await send(chain, [question])
    const found = await ask<{ meta: { returnData: { data: [string, string] } } }>('getTransaction', [
      signature,
      confirmed,
    ])
    expect(Buffer.from(found.meta.returnData.data[0], 'base64').readBigUInt64LE()).toBe(BigInt(value))
    await expect(stake(value - 1)).rejects.toThrow()
    await stake(value)
  })
})

describe('an epoch that ends', () => {
  test('has a record of all stake; slots, time and schedule go on', async () => {
    const before = await chain.connection.getEpochInfo('confirmed')
    const { epoch } = await endEpoch({ others: { activating: String(5n * BigInt(sol)) } })
    expect(epoch).toBe(before.epoch + 1)
    const after = await chain.connection.getEpochInfo('confirmed')
    expect(after).toMatchObject({ epoch, slotIndex: 0, slotsInEpoch: 432_000 })
    expect(after.absoluteSlot - before.absoluteSlot).toBeLessThan(4)
    const schedule = await chain.connection.getEpochSchedule()
    expect(schedule.getEpoch(after.absoluteSlot)).toBe(epoch)
    expect(schedule.getFirstSlotInEpoch(epoch + 1)).toBe(after.absoluteSlot + 432_000)
    const { data = Buffer.alloc(0) } =
      (await chain.connection.getAccountInfo(
        new PublicKey('SysvarStakeHistory1111111111111111111111111'),
        'confirmed',
      )) ?? {}
    expect(data.readBigUInt64LE(8)).toBe(BigInt(before.epoch))
    expect(data.readBigUInt64LE(24)).toBeGreaterThanOrEqual(5n * BigInt(sol))
  })

  test('has a clock that is never ahead of the accounts in the same answer', async () => {
    for (const commitment of ['confirmed', 'finalized'] as const) {
      const { context, value } = await chain.connection.getAccountInfoAndContext(
        new PublicKey(clockAddress),
        commitment,
      )
      expect(value?.data.readBigUInt64LE(0)).toBe(BigInt(context.slot))
      const { epoch } = await chain.connection.getEpochInfo(commitment)
      expect(value?.data.readBigUInt64LE(16)).toBe(BigInt(epoch))
    }
  })

  test('a stake earns from the epoch after it was made; a delinquent validator’s earns nothing', async () => {
    const account = await stake(2 * sol)
    const opened = await balance(account)
    await endEpoch({ rewardPerSol: 1000 })
    expect(await balance(account)).toBe(opened)
    await endEpoch({ rewardPerSol: 1000 })
    expect(await balance(account)).toBe(opened + 2000)
    const { current } = await voteAccounts()
    expect(current[0]?.activatedStake).toBeGreaterThan(400_000_000 * sol)
  })

  test('a stake can be withdrawn after the epoch in which it was deactivated, not before', async () => {
    const [account, to] = [await stake(2 * sol), Keypair.generate().publicKey]
    await endEpoch()
    await deactivate(account)
    const all = await balance(account)
    await expect(withdraw(account, to, all)).rejects.toThrow('insufficient funds')
    await endEpoch()
    await withdraw(account, to, all)
    expect([await balance(account), await balance(to)]).toEqual([0, all])
  })

  test('while rewards are paid, no stake changes', async () => {
    const account = await stake(sol)
    await devnet.control('distribution', { on: true })
    await expect(deactivate(account)).rejects.toThrow('custom program error: 0x10')
    await devnet.control('distribution', { on: false })
    await deactivate(account)
  })

  test('rewards are of the block that pays them: a reorg takes them back', async () => {
    const account = await stake(2 * sol)
    await endEpoch()
    const before = await balance(account)
    await endEpoch({ rewardPerSol: 1000 })
    await devnet.control('reorg', { depth: 1 })
    await send(chain, [pay(chain, Keypair.generate().publicKey, 2_000_000)])
    expect(await balance(account)).toBe(before)
  })
})
