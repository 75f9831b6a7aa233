import type { Address } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import type { BridgeReader, MintProblem } from '../../bridging.ts'
import { decodeMessage, type MessageHex } from '../../cctpMessage.ts'
import { ProviderError } from '../../chain.ts'
import { agreedProblem, type Tried } from '../../providers/agreedProblem.ts'
import { agreedBy, sufficing } from '../../providers/agreeOutcome.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { everyAnswer } from '../../providers/queryEvery.ts'
import type { Cctp } from '../../registry.ts'
import { quantity, tryCall } from '../refusals.ts'
import { hex } from '../rpcTypes.ts'
import { wordOf } from '../tokenCalls.ts'
import { blacklistAbi, messageTransmitterAbi, tokenMessengerAbi, tokenMinterAbi } from './bridgeAbi.ts'
import { evmBridgeActions } from './bridgeActions.ts'
import { findMint, mintsIn } from './bridgeMints.ts'
import type { EvmSenderContext } from './senderContext.ts'

/** Reads CCTP v2 from the nodes of an EVM chain. */
export function evmBridgeReader(ctx: EvmSenderContext, cctp: Cctp): BridgeReader {
  const { providers, chain } = ctx
  const { tokenMessenger, messageTransmitter } = cctp
  const actions = evmBridgeActions({ ...chain, cctp })
  const ask = async <T>(what: (rpc: JsonRpc) => Promise<T | null>): Promise<T> => {
    const found = await providers.ask(what)
    if (found === null) throw new ProviderError(`no provider of ${chain.name} answered about the bridge`)
    return found
  }
  return {
    minFee: (amount) =>
      ask(async (rpc) => {
        const data = encodeFunctionData({
          abi: tokenMessengerAbi,
          functionName: 'getMinFeeAmount',
          args: [amount],
        })
        const tried = await tryCall(() => rpc.call('eth_call', [{ to: tokenMessenger, data }, 'latest']))
        // Before version 2.1 the contract had no least fee.
        return 'failed' in tried ? 0n : numberOf(rpc, tried.answered)
      }),
    burnLimit: ({ contract }) =>
      ask(async (rpc) => {
        const minterCall = encodeFunctionData({ abi: tokenMessengerAbi, functionName: 'localMinter' })
        const minter = numberOf(
          rpc,
          await rpc.call('eth_call', [{ to: tokenMessenger, data: minterCall }, 'latest']),
        )
        const to = `0x${minter.toString(16).padStart(40, '0')}`
        const data = encodeFunctionData({
          abi: tokenMinterAbi,
          functionName: 'burnLimitsPerMessage',
          args: [contract as Address],
        })
        return numberOf(rpc, await rpc.call('eth_call', [{ to, data }, 'latest']))
      }),
    isBlocked: ({ contract }, address) =>
      ask(async (rpc) => {
        const data = encodeFunctionData({
          abi: blacklistAbi,
          functionName: 'isBlacklisted',
          args: [address as Address],
        })
        const tried = await tryCall(() => rpc.call('eth_call', [{ to: contract, data }, 'latest']))
        // A token without such a list blocks no address.
        return {
          blocked: !('failed' in tried) && tried.answered !== '0x' && numberOf(rpc, tried.answered) !== 0n,
        }
      }).then(({ blocked }) => blocked),
    mintProblem: async (from, signed) => {
      const [call] = actions.mint(from, signed).calls
      const attempt = async (rpc: JsonRpc): Promise<Tried> => {
        const tried = await tryCall(() =>
          rpc.call('eth_call', [{ from, to: call?.to, data: call?.data }, 'latest']),
        )
        if (!('failed' in tried)) return { source: rpc.name, problem: null }
        const problem = problemOf(tried.failed)
        const isLate = problem !== 'used' && (await isExpired(rpc, signed.message))
        return { source: rpc.name, problem: isLate ? 'expired' : problem }
      }
      const { problem } = await ask(attempt)
      if (problem === null) return null
      // A message is dropped for it: one node may lag, or be wrong.
      return agreedProblem(await everyAnswer(providers, attempt), sufficing(providers))
    },
    usedIn: (nonce) =>
      ask(async (rpc) => {
        if (!(await isUsed(rpc, messageTransmitter, nonce, 'latest'))) return 'nowhere'
        return (await isUsed(rpc, messageTransmitter, nonce, await confirmedBlock(rpc, chain)))
          ? 'confirmed'
          : 'newest'
      }),
    isUnused: async (nonce) => {
      const use = async (rpc: JsonRpc) => ({
        source: rpc.name,
        answer: await isUsed(rpc, messageTransmitter, nonce, 'latest'),
      })
      return agreedBy(await everyAnswer(providers, use), String, sufficing(providers)) === false
    },
    findMint: (nonce, search) => ask((rpc) => findMint(rpc, messageTransmitter, nonce, search)),
    mintsIn: (txId) => mintsIn(ctx, messageTransmitter, txId),
  }
}

/** Code that returns `block.number`, which is not the height of the chain on Arbitrum. */
const heightCode = '0x4360005260206000f3'

/** As the contract checks it: the text of nodes for its refusal differs, or has no reason. */
async function isExpired(rpc: JsonRpc, message: MessageHex): Promise<boolean> {
  const expires = decodeMessage(message)?.expirationBlock ?? 0n
  if (expires === 0n) return false
  const tried = await tryCall(() => rpc.call('eth_call', [{ data: heightCode }, 'latest']))
  return 'answered' in tried && (wordOf(tried.answered) ?? 0n) >= expires
}

function problemOf(reason: string): MintProblem {
  if (/nonce already used/i.test(reason)) return 'used'
  return /message expired/i.test(reason) ? 'expired' : { refused: reason }
}

function numberOf(rpc: JsonRpc, answered: unknown): bigint {
  const value = wordOf(answered)
  if (value === null)
    throw new ProviderError(`${rpc.name}: the bridge's contract did not answer with a number`)
  return value
}

async function isUsed(rpc: JsonRpc, to: string, nonce: MessageHex, block: string): Promise<boolean> {
  const data = encodeFunctionData({ abi: messageTransmitterAbi, functionName: 'usedNonces', args: [nonce] })
  const answered = await rpc.call('eth_call', [{ to, data }, block])
  // The contract may be younger than the block.
  return answered !== '0x' && numberOf(rpc, answered) !== 0n
}

/** The newest block that is confirmed by the chain's rule. */
async function confirmedBlock(
  rpc: JsonRpc,
  { byFinalizedTag, confirmations }: EvmSenderContext['chain'],
): Promise<string> {
  if (byFinalizedTag) return 'finalized'
  const head = Number(quantity(await rpc.call('eth_blockNumber', []), 'the height of the head'))
  return hex(Math.max(head - confirmations + 1, 0))
}
