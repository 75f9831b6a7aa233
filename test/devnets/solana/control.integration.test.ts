import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { getAccount, getAssociatedTokenAddressSync } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { waitFor } from '../../support/waitFor.ts'
import { type SolanaDevnet, solanaDevnetEnv, startSolanaDevnet } from '../solana.ts'
import { devnetChain, pay, payToken, rpc, send, signed, type TestChain } from './testWallet.ts'

/** Features of the devnet only: controlling the chain, reorgs, misbehaving faces, and restarts. */
const finalizedDepth = 4
const funded = 2_000_000
const newAddress = () => Keypair.generate().publicKey
const confirmed = { commitment: 'confirmed', maxSupportedTransactionVersion: 1 }

interface Mined {
  height: number
  blockHeight: number
  slots: number[]
  ids: string[]
}

interface ServedBlock {
  blockhash: string
  previousBlockhash: string
  parentSlot: number
  blockHeight: number
  blockTime: number
  transactions: {
    transaction: { signatures: string[] }
    meta: { postTokenBalances: { owner?: string; uiTokenAmount: { amount: string } }[] }
  }[]
}

let devnet: SolanaDevnet
let chain: TestChain

beforeAll(async () => {
  devnet = await startSolanaDevnet({ blockMs: 0, finalizedDepth })
  chain = devnetChain(devnet)
})

afterAll(() => devnet.stop())

const mine = (count = 1) => devnet.control<Mined>('mine', { count })
const ask = async (method: string, params: readonly unknown[] = [], url = devnet.rpcUrl) => {
  const { result, error } = await rpc(url, method, params)
  if (error) throw new Error(`${error.code} ${error.message}`)
  return result
}
const block = async (slot: number, url?: string) =>
  (await ask('getBlock', [slot, confirmed], url)) as ServedBlock
const balance = (key: PublicKey, commitment: 'processed' | 'confirmed' = 'confirmed') =>
  chain.connection.getBalance(key, commitment)

describe('slots and blocks', () => {
  test('a skipped slot has no block: the next block names the one before it as parent, and heights do not count it', async () => {
    const before = await mine()
    const { skipped } = await devnet.control<{ skipped: number[] }>('skip', { slots: 3 })
    const after = await mine()
    expect(skipped).toEqual([1, 2, 3].map((i) => before.height + i))
    expect(await block(after.height)).toMatchObject({
      parentSlot: before.height,
      blockHeight: before.blockHeight + 1,
      previousBlockhash: before.ids[0],
    })
    expect(await ask('getBlocks', [before.height, after.height, confirmed])).toEqual([
      before.height,
      after.height,
    ])
    const [slot = 0] = skipped
    await expect(block(slot)).rejects.toThrow(`-32004 Block not available for slot ${slot}`)
    await mine(finalizedDepth)
    await expect(block(slot)).rejects.toThrow(
      `-32007 Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
    )
    await expect(block(after.height + 100)).rejects.toThrow(
      `-32004 Block not available for slot ${after.height + 100}`,
    )
  })

  test('a block takes the requested time', async () => {
    const { height } = await devnet.control<Mined>('mine', { time: 2_000_000_000 })
    expect((await block(height)).blockTime).toBe(2_000_000_000)
  })

  test('an unknown action is refused with a message', async () => {
    await expect(devnet.control('fly')).rejects.toThrow('there is no action fly')
  })
})

describe('reorg', () => {
  test('balances, token accounts and transactions go back to the state before the dropped blocks', async () => {
    const [to, owner, usdc] = [newAddress(), newAddress(), new PublicKey(devnet.usdc)]
    await send(chain, [pay(chain, to, funded), ...payToken(chain, owner, usdc, 10n)])
    const { height } = await mine(3)
    const before = await balance(chain.faucet.publicKey)
    const first = await send(chain, [pay(chain, to, 7), ...payToken(chain, owner, usdc, 5n)])
    const second = await send(chain, payToken(chain, newAddress(), usdc, 1n))
    const droppedBlock = await block(height + 2)
    expect(await devnet.control('reorg', { depth: 2 })).toEqual({
      dropped: [first, second],
      kept: [],
      height,
    })
    expect(await balance(to)).toBe(funded)
    expect(await balance(chain.faucet.publicKey)).toBe(before)
    expect((await getAccount(chain.connection, getAssociatedTokenAddressSync(usdc, owner))).amount).toBe(10n)
    expect(
      (await chain.connection.getSignatureStatus(first, { searchTransactionHistory: true })).value,
    ).toBeNull()
    const next = await mine()
    expect(next.height).toBe(height + 3)
    expect(await block(next.height)).toMatchObject({ parentSlot: height })
    expect(next.ids).not.toContain(droppedBlock.blockhash)
    await expect(block(height + 1)).rejects.toThrow('-32004')
  })

  test('with sameSlots, new blocks take the slots of the dropped ones', async () => {
    const made = await mine(2)
    await devnet.control('reorg', { depth: 2, sameSlots: true })
    const again = await mine(2)
    expect(again.slots).toEqual(made.slots)
    expect(again.ids).not.toEqual(made.ids)
  })

  test('with keep, transactions are executed again, except one whose blockhash is from the lost fork', async () => {
    await mine()
    const to = newAddress()
    const early = await signed(chain, [pay(chain, to, funded)])
    await mine()
    const late = await signed(chain, [pay(chain, to, funded)])
    const signatures = [early, late].map((each) =>
      chain.connection.sendRawTransaction(each.serialize(), { preflightCommitment: 'confirmed' }),
    )
    const dropped = await Promise.all(signatures)
    await mine()
    const answer = await devnet.control<{ dropped: string[]; kept: string[] }>('reorg', {
      depth: 2,
      keep: true,
    })
    expect(answer.dropped.toSorted()).toEqual(dropped.toSorted())
    expect(answer.kept).toEqual([dropped[0]])
    expect(await balance(to)).toBe(0)
    await mine()
    expect(await balance(to)).toBe(funded)
  })

  test('final blocks are dropped only with force', async () => {
    const to = newAddress()
    await send(chain, [pay(chain, to, funded)])
    await mine(finalizedDepth)
    await expect(devnet.control('reorg', { depth: finalizedDepth + 1 })).rejects.toThrow('not final')
    await devnet.control('reorg', { depth: finalizedDepth + 1, force: true })
    expect(await balance(to)).toBe(0)
  })
})

describe('a face that misbehaves', () => {
  let url: string
  const misbehave = (flags: object) => devnet.control('misbehave', { face: 'liar', ...flags })

  beforeEach(async () => {
    url = devnet.face('liar').rpcUrl
    await misbehave({ clear: true })
  })

  test('is honest by default', async () => {
    const { height } = await mine()
    expect(await block(height, url)).toEqual(await block(height))
    await expect(misbehave({ lieWell: true })).rejects.toThrow('there is no flag lieWell')
  })

  test('lagBlocks: the head is lower, and blocks above it are missing', async () => {
    const { height } = await mine(3)
    await misbehave({ lagBlocks: 2 })
    for (const commitment of ['processed', 'confirmed'])
      expect(await ask('getSlot', [{ commitment }], url)).toBe(height - 2)
    await expect(block(height - 1, url)).rejects.toThrow('-32004')
    expect((await block(height - 2, url)).blockhash).toBe((await block(height - 2)).blockhash)
  })

  test('down, throttle and slowMs', async () => {
    await misbehave({ down: true })
    expect((await rpc(url, 'getSlot')).status).toBe(503)
    await misbehave({ clear: true, throttle: 2 })
    const answers = [await rpc(url, 'getSlot'), await rpc(url, 'getSlot'), await rpc(url, 'getSlot')]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(answers[2]?.headers.get('retry-after')).toBe('1')
    await misbehave({ clear: true, slowMs: 120 })
    const start = performance.now()
    await rpc(url, 'getSlot')
    expect(performance.now() - start).toBeGreaterThan(110)
  })

  test('pruneBelow: old blocks and transactions are missing, and getBlocks omits them silently', async () => {
    const signature = await send(chain, [pay(chain, newAddress(), funded)])
    const { height } = await mine(finalizedDepth + 2)
    await misbehave({ pruneBelow: height - 1 })
    const slot = height - finalizedDepth - 2
    await expect(block(slot, url)).rejects.toThrow(
      `-32001 Block ${slot} cleaned up, does not exist on node. First available block: ${height - 1}`,
    )
    expect(await ask('getFirstAvailableBlock', [], url)).toBe(height - 1)
    expect(await ask('getBlocks', [slot, height, confirmed], url)).toEqual([height - 1, height])
    expect([
      await ask('getTransaction', [signature, confirmed], url),
      await ask('getTransaction', [signature, confirmed]),
    ]).toEqual([null, expect.anything()])
  })

  test('ambiguous and hide: -32004 for a skipped slot and for a hidden block', async () => {
    const { skipped } = await devnet.control<{ skipped: number[] }>('skip', { slots: 1 })
    const { height } = await mine()
    await mine(finalizedDepth + 1)
    await misbehave({ longTermStorage: true })
    await expect(block(skipped[0] ?? 0, url)).rejects.toThrow(
      `-32009 Slot ${skipped[0]} was skipped, or missing in long-term storage`,
    )
    await misbehave({ clear: true, ambiguous: true, hide: [height], statusNotYet: [height + 1] })
    await expect(block(skipped[0] ?? 0, url)).rejects.toThrow('-32004')
    await expect(block(height, url)).rejects.toThrow('-32004')
    await expect(block(height + 1, url)).rejects.toThrow(
      `-32014 Block status not yet available for slot ${height + 1}`,
    )
    expect(await ask('getBlocks', [height - 1, height + 1, confirmed], url)).toEqual([height + 1])
  })

  test("nextFor: a skipped slot is answered with the next slot's block", async () => {
    const { skipped } = await devnet.control<{ skipped: number[] }>('skip', { slots: 1 })
    const { height } = await mine()
    await misbehave({ nextFor: skipped[0] })
    expect(await block(skipped[0] ?? 0, url)).toEqual(await block(height))
  })

  test('unknownVersion, omit, noOwner, amountOff and badParent', async () => {
    const owner = newAddress().toBase58()
    const signature = await send(
      chain,
      payToken(chain, new PublicKey(owner), new PublicKey(devnet.usdc), 10n),
    )
    const slot = await chain.connection.getSlot('confirmed')
    const servedBlock = async (flags: object) => {
      await misbehave({ clear: true, ...flags })
      return block(slot, url)
    }
    const received = (each: ServedBlock) =>
      each.transactions[0]?.meta.postTokenBalances.find(({ owner: of }) => of === owner)?.uiTokenAmount.amount
    expect(received(await servedBlock({}))).toBe('10')
    expect(received(await servedBlock({ amountOff: signature }))).toBe('11')
    expect(
      (await servedBlock({ noOwner: true })).transactions[0]?.meta.postTokenBalances.map(
        (each) => each.owner,
      ),
    ).toEqual([undefined, undefined])
    expect((await servedBlock({ omit: [signature] })).transactions).toEqual([])
    expect((await servedBlock({ badParent: slot })).previousBlockhash).not.toBe(
      (await block(slot)).previousBlockhash,
    )
    await expect(servedBlock({ unknownVersion: true })).rejects.toThrow('-32015')
  })
})

test('a devnet with a timer makes blocks until it is held, and its environment variables point to it', async () => {
  const running = await startSolanaDevnet({ blockMs: 20 })
  try {
    const slot = async () => (await ask('getSlot', [{ commitment: 'confirmed' }], running.rpcUrl)) as number
    await waitFor('blocks', async () => (await slot()) > 5)
    await running.control('hold', { on: true })
    const { confirmed: held } = await running.control<{ confirmed: number }>('status')
    await running.control('mine')
    expect(await slot()).toBe(held + 1)
    expect(solanaDevnetEnv(running)).toMatchObject({
      SOLANA_RPC_URLS: running.rpcUrl,
      SOLANA_NETWORK: running.genesisHash,
      SOLANA_BLOCK_MS: '20',
    })
  } finally {
    await running.stop()
  }
})

test('with a home, a restart keeps height, balances, history, tokens, pending transactions and the ability to reorg', async () => {
  const home = mkdtempSync(join(tmpdir(), 'cowry-solana-'))
  const start = () => startSolanaDevnet({ blockMs: 0, finalizedDepth, home })
  let running = await start()
  try {
    const to = newAddress()
    const first = devnetChain(running)
    const signature = await send(first, [pay(first, to, funded)])
    const taken = await send(first, payToken(first, to, new PublicKey(running.usdc), 9n))
    await running.control('mine', { count: 2 })
    const waiting = (await signed(first, [pay(first, to, 3)])).serialize()
    await first.connection.sendRawTransaction(waiting, { preflightCommitment: 'confirmed' })
    const before = await running.control<{ confirmed: number }>('status')
    const genesis = running.genesisHash
    await running.stop()
    running = await start()
    const second = devnetChain(running)
    expect(await running.control('status')).toEqual(before)
    expect(running.genesisHash).toBe(genesis)
    expect(await second.connection.getBalance(to, 'processed')).toBe(funded + 3)
    expect(
      (
        await second.connection.getTransaction(signature, {
          commitment: 'confirmed',
          maxSupportedTransactionVersion: 1,
        })
      )?.meta?.err,
    ).toBeNull()
    expect(await running.control('reorg', { depth: 3 })).toMatchObject({ dropped: [taken] })
    expect(await second.connection.getBalance(to, 'processed')).toBe(funded)
    // More than can be undone, so that older blocks are in the log.
    await running.control('mine', { count: 600 })
    await running.stop()
    running = await start()
    const { confirmed: height } = await running.control<{ confirmed: number }>('status')
    expect(height).toBe(before.confirmed + 600)
    expect(
      (await block(before.confirmed - 3, running.rpcUrl)).transactions[0]?.transaction.signatures,
    ).toEqual([signature])
  } finally {
    await running.stop()
    rmSync(home, { recursive: true, force: true })
  }
})
