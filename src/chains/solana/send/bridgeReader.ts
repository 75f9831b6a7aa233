import { base58 } from '@scure/base'
import { PublicKey } from '@solana/web3.js'
import type { BridgeReader, FoundMint, MintProblem, ReclaimProblem, Signed } from '../../bridging.ts'
import { decodeMessage, type MessageHex } from '../../cctpMessage.ts'
import { ProviderError } from '../../chain.ts'
import { agreedProblem, type Tried } from '../../providers/agreedProblem.ts'
import { agreedBy, sufficing } from '../../providers/agreeOutcome.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { everyAnswer } from '../../providers/queryEvery.ts'
import type { Cctp, ConfiguredChain } from '../../registry.ts'
import { ActionRefusedError } from '../../sending.ts'
import { associatedAccount } from '../associatedAccount.ts'
import { type Account, accountOf, accountsOf, tokenAccountOf } from '../chainState.ts'
import { commitment } from '../read/header.ts'
import { solanaBridgeActions, solanaReclaim } from './bridgeActions.ts'
import { messagesIn, mintsIn } from './bridgeMints.ts'
import { type CctpAccounts, cctpAccounts } from './cctpAccounts.ts'
import { latestBlockhash } from './latestBlockhash.ts'
import { planCalls, planCallsBy } from './planCalls.ts'
import type { SolanaSenderContext } from './senderContext.ts'

/**
 * Places in the state of the programs (`programs/v2`, `state.rs`): each starts with eight bytes of its kind.
 */
const [feeRecipientAt, minFeeAt, burnLimitAt] = [109, 173, 72]
/** The program's `MIN_FEE_MULTIPLIER`: the least fee is a part of so many. */
const feeParts = 10_000_000n
/** `MessageExpired` of the IDL. */
const expired = '0x1780'
/** `EventAccountWindowNotExpired`. */
const early = '0x1791'
/** Signatures of a page. */
const pageSize = 25

/** Reads CCTP v2 from the nodes of Solana. */
export function solanaBridgeReader(
  ctx: SolanaSenderContext & { chain: Pick<ConfiguredChain, 'name' | 'family' | 'network'> },
  cctp: Cctp,
): BridgeReader {
  const { providers, chain } = ctx
  const accounts = cctpAccounts(cctp)
  const actions = solanaBridgeActions({ ...chain, cctp })
  const ask = async <T>(what: (rpc: JsonRpc) => Promise<T | null>): Promise<T> => {
    const found = await providers.ask(what)
    if (found === null) throw new ProviderError(`no provider of ${chain.name} answered about the bridge`)
    return found
  }
  const isUsed = (rpc: JsonRpc, nonce: MessageHex, level: string) =>
    hasAccount(rpc, accounts.usedNonce(nonce).toBase58(), level)
  return {
    minFee: (amount) =>
      ask(async (rpc) => {
        const parts = BigInt(
          (await stateOf(rpc, accounts.messengerState, accounts.messenger, minFeeAt + 4)).readUInt32LE(
            minFeeAt,
          ),
        )
        if (parts === 0n) return 0n
        const fee = (amount * parts) / feeParts
        return fee > 1n ? fee : 1n
      }),
    burnLimit: ({ contract }) =>
      ask(async (rpc) => {
        const state = await stateOf(
          rpc,
          accounts.localToken(new PublicKey(contract)),
          accounts.messenger,
          burnLimitAt + 8,
        )
        return state.readBigUInt64LE(burnLimitAt)
      }),
    isBlocked: ({ contract }, address) =>
      ask(async (rpc) => {
        const [account] = await accountsOf(rpc, [associatedAccount(address, contract)])
        const held = tokenAccountOf(account ?? null)
        // A token account may be given to another owner, who would receive it.
        return { blocked: held !== null && (held.isFrozen || held.owner !== address) }
      }).then(({ blocked }) => blocked),
    async mintProblem(from: string, signed: Signed): Promise<MintProblem | null> {
      const nonce = decodeMessage(signed.message)?.nonce
      if (nonce === undefined) return { refused: 'not a message of a burn' }
      if ((await ask(async (rpc) => ({ used: await isUsed(rpc, nonce, commitment) }))).used) return 'used'
      const action = actions.mint(from, signed)
      const first = await planCalls(ctx, action).then(() => null, problemOf)
      if (first === null) return null
      // A message is dropped for it: one node may lag, or be wrong.
      const attempt = async (rpc: JsonRpc): Promise<Tried> => {
        const { lastValidBlockHeight } = await latestBlockhash(rpc)
        const problem = await planCallsBy(rpc, ctx.chain, action, lastValidBlockHeight, null).then(
          () => null,
          problemOf,
        )
        return { source: rpc.name, problem }
      }
      return agreedProblem(await everyAnswer(providers, attempt), sufficing(providers))
    },
    async reclaimProblem(from, eventAccount, signed): Promise<ReclaimProblem | null> {
      const look = async (rpc: JsonRpc) => ({
        source: rpc.name,
        answer: await hasAccount(rpc, eventAccount, 'finalized'),
      })
      const exists = agreedBy(await everyAnswer(providers, look), String, sufficing(providers))
      if (exists === null) throw new ProviderError(`providers of ${chain.name} differ about an event account`)
      if (!exists) return 'closed'
      try {
        const { shortages } = await planCalls(ctx, solanaReclaim(accounts, from, eventAccount, signed))
        return shortages.length > 0 ? { refused: 'the wallet has too little SOL for the fee' } : null
      } catch (error) {
        if (!(error instanceof ActionRefusedError)) throw error
        return error.message.includes(`custom program error ${early}`) ? 'early' : { refused: error.message }
      }
    },
    usedIn: (nonce) =>
      ask(async (rpc) => {
        if (!(await isUsed(rpc, nonce, commitment))) return 'nowhere'
        return (await isUsed(rpc, nonce, 'finalized')) ? 'confirmed' : 'newest'
      }),
    isUnused: async (nonce) => {
      const look = async (rpc: JsonRpc) => ({
        source: rpc.name,
        answer: await isUsed(rpc, nonce, commitment),
      })
      return agreedBy(await everyAnswer(providers, look), String, sufficing(providers)) === false
    },
    findMint: (nonce, { cursor }) => ask((rpc) => findMint(rpc, accounts, nonce, cursor)),
    mintsIn: (txId) => mintsIn(ctx, accounts.transmitter.toBase58(), txId),
    feeAccount: ({ contract }) =>
      ask(async (rpc) => {
        const state = await stateOf(rpc, accounts.messengerState, accounts.messenger, feeRecipientAt + 32)
        return associatedAccount(
          base58.encode(Uint8Array.from(state.subarray(feeRecipientAt, feeRecipientAt + 32))),
          contract,
        )
      }),
  }
}

async function stateOf(rpc: JsonRpc, address: PublicKey, program: PublicKey, bytes: number): Promise<Buffer> {
  const [account] = await accountsOf(rpc, [address.toBase58()])
  if (account?.owner !== program.toBase58() || account.data.length < bytes)
    throw new ProviderError(`${rpc.name}: the bridge's program has no state`)
  return account.data
}

async function hasAccount(rpc: JsonRpc, address: string, level: string): Promise<boolean> {
  const answered = (await rpc.call('getAccountInfo', [
    address,
    { commitment: level, encoding: 'base64' },
  ])) as { value?: unknown } | null
  if (answered?.value === undefined) throw new ProviderError(`${rpc.name} returned no account`)
  const account: Account | null = accountOf(rpc, answered.value)
  return account !== null && account.data.length > 0
}

/**
 * The transaction that minted a message, among those that name the account of its nonce: any sender can send
 * others, also before the mint, or pay to the account. A page each time, newest first.
 */
async function findMint(
  rpc: JsonRpc,
  accounts: CctpAccounts,
  nonce: MessageHex,
  cursor: string | null,
): Promise<FoundMint> {
  const options = { commitment, limit: pageSize, ...(cursor !== null && { before: cursor }) }
  const found = await rpc.call('getSignaturesForAddress', [accounts.usedNonce(nonce).toBase58(), options])
  if (!Array.isArray(found)) throw new ProviderError(`${rpc.name} returned no list of signatures`)
  const page = found as { signature: string; err: unknown }[]
  for (const { signature, err } of page.toReversed())
    if (
      err === null &&
      (await messagesIn(rpc, accounts.transmitter.toBase58(), signature)).some((each) => each.nonce === nonce)
    )
      return { txId: signature, cursor }
  return { txId: null, cursor: page.length < pageSize ? null : (page.at(-1)?.signature ?? null) }
}

function problemOf(error: unknown): MintProblem {
  if (!(error instanceof ActionRefusedError)) throw error
  return error.message.includes(`custom program error ${expired}`) ? 'expired' : { refused: error.message }
}
