import { base58 } from '@scure/base'
import { PublicKey } from '@solana/web3.js'
import type { BridgeReader, MintProblem, ReclaimProblem, Signed } from '../bridging.ts'
import { decodeMessage } from '../cctpMessage.ts'
import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Cctp, ConfiguredChain } from '../registry.ts'
import { ActionRefused } from '../sending.ts'
import { associatedAccount } from './associatedAccount.ts'
import { solanaBridgeActions, solanaReclaim } from './bridgeActions.ts'
import { mintsIn } from './bridgeMints.ts'
import { cctpAccounts } from './cctpAccounts.ts'
import { type Account, accountOf, accountsOf, tokenAccountOf } from './chainState.ts'
import { commitment, highestVersion } from './header.ts'
import { planCalls } from './planCalls.ts'
import type { SolanaSenderContext } from './senderContext.ts'

/** Places in the state of the programs (`programs/v2`, `state.rs`): each begins with eight bytes of its kind. */
const [feeRecipientAt, minFeeAt, burnLimitAt] = [109, 173, 72]
/** The program's `MIN_FEE_MULTIPLIER`: the least fee is a part of so many. */
const feeParts = 10_000_000n
/** `MessageExpired` of the IDL. */
const expired = '0x1780'
/** `EventAccountWindowNotExpired`. */
const early = '0x1791'
const maxSignatures = 10

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
  const isUsed = (rpc: JsonRpc, nonce: `0x${string}`, level: string) => hasAccount(rpc, accounts.usedNonce(nonce).toBase58(), level)
  return {
    minFee: (amount) =>
      ask(async (rpc) => {
        const parts = BigInt((await stateOf(rpc, accounts.messengerState, accounts.messenger, minFeeAt + 4)).readUInt32LE(minFeeAt))
        if (parts === 0n) return 0n
        const fee = (amount * parts) / feeParts
        return fee > 1n ? fee : 1n
      }),
    burnLimit: ({ contract }) =>
      ask(async (rpc) => {
        const state = await stateOf(rpc, accounts.localToken(new PublicKey(contract)), accounts.messenger, burnLimitAt + 8)
        return state.readBigUInt64LE(burnLimitAt)
      }),
    isBlocked: ({ contract }, address) =>
      ask(async (rpc) => {
        const [account] = await accountsOf(rpc, [associatedAccount(address, contract)])
        return { frozen: tokenAccountOf(account ?? null)?.isFrozen ?? false }
      }).then(({ frozen }) => frozen),
    async mintProblem(from: string, signed: Signed): Promise<MintProblem | null> {
      const nonce = decodeMessage(signed.message)?.nonce
      if (nonce === undefined) return { refused: 'not a message of a burn' }
      if ((await ask(async (rpc) => ({ used: await isUsed(rpc, nonce, commitment) }))).used) return 'used'
      try {
        await planCalls(ctx, actions.mint(from, signed))
        return null
      } catch (error) {
        if (!(error instanceof ActionRefused)) throw error
        return error.message.includes(`custom program error ${expired}`) ? 'expired' : { refused: error.message }
      }
    },
    async reclaimProblem(from, eventAccount, signed): Promise<ReclaimProblem | null> {
      const { exists } = await ask(async (rpc) => ({ exists: await hasAccount(rpc, eventAccount, 'finalized') }))
      if (!exists) return 'closed'
      try {
        const { shortages } = await planCalls(ctx, solanaReclaim(accounts, from, eventAccount, signed))
        return shortages.length > 0 ? { refused: 'the wallet has too little SOL for the fee' } : null
      } catch (error) {
        if (!(error instanceof ActionRefused)) throw error
        return error.message.includes(`custom program error ${early}`) ? 'early' : { refused: error.message }
      }
    },
    usedIn: (nonce) =>
      ask(async (rpc) => {
        if (!(await isUsed(rpc, nonce, commitment))) return 'nowhere'
        return (await isUsed(rpc, nonce, 'finalized')) ? 'confirmed' : 'newest'
      }),
    findMint: async (nonce) => {
      const account = accounts.usedNonce(nonce).toBase58()
      const { txId } = await ask(async (rpc) => ({ txId: await makerOf(rpc, account) }))
      return { txId, cursor: null }
    },
    mintsIn: (txId) => mintsIn(ctx, accounts.transmitter.toBase58(), txId),
    feeAccount: ({ contract }) =>
      ask(async (rpc) => {
        const state = await stateOf(rpc, accounts.messengerState, accounts.messenger, feeRecipientAt + 32)
        return associatedAccount(base58.encode(Uint8Array.from(state.subarray(feeRecipientAt, feeRecipientAt + 32))), contract)
      }),
  }
}

async function stateOf(rpc: JsonRpc, address: PublicKey, program: PublicKey, bytes: number): Promise<Buffer> {
  const [account] = await accountsOf(rpc, [address.toBase58()])
  if (account?.owner !== program.toBase58() || account.data.length < bytes) throw new ProviderError(`${rpc.name}: the bridge's program has no state`)
  return account.data
}

async function hasAccount(rpc: JsonRpc, address: string, level: string): Promise<boolean> {
  const answered = (await rpc.call('getAccountInfo', [address, { commitment: level, encoding: 'base64' }])) as { value?: unknown } | null
  if (answered?.value === undefined) throw new ProviderError(`${rpc.name} returned no account`)
  const account: Account | null = accountOf(rpc, answered.value)
  return account !== null && account.data.length > 0
}

/** A node may name any transaction: it must be the one that made the account of the nonce. */
async function makes(rpc: JsonRpc, txId: string, account: string): Promise<boolean> {
  const options = { commitment, encoding: 'json', maxSupportedTransactionVersion: highestVersion }
  const answered = (await rpc.call('getTransaction', [txId, options])) as {
    meta?: { err?: unknown; loadedAddresses?: { writable?: string[] }; preBalances?: number[]; postBalances?: number[] } | null
    transaction?: { message?: { accountKeys?: string[] } }
  } | null
  const { meta } = answered ?? {}
  if (!meta || meta.err !== null) return false
  const place = [...(answered?.transaction?.message?.accountKeys ?? []), ...(meta.loadedAddresses?.writable ?? [])].indexOf(account)
  return meta.preBalances?.[place] === 0 && (meta.postBalances?.[place] ?? 0) > 0
}

/** The transaction that made the account of a nonce. Others may name it. */
async function makerOf(rpc: JsonRpc, account: string): Promise<string | null> {
  const found = await rpc.call('getSignaturesForAddress', [account, { commitment, limit: maxSignatures }])
  if (!Array.isArray(found)) throw new ProviderError(`${rpc.name} returned no list of signatures`)
  for (const { signature, err } of (found as { signature: string; err: unknown }[]).toReversed())
    if (err === null && (await makes(rpc, signature, account))) return signature
  return null
}
