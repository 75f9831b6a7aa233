import { type Hex, numberToHex } from 'viem'
import type { Action } from '../../src/chains/action.ts'
import type { EvmSenderContext } from '../../src/chains/evm/send/senderContext.ts'
import { evmTransferBuilder } from '../../src/chains/evm/send/transferBuilder.ts'
import { evmTransferSender } from '../../src/chains/evm/send/transferSender.ts'
import { type JsonRpc, openJsonRpc } from '../../src/chains/providers/jsonRpc.ts'
import { createProviders, type Gate } from '../../src/chains/providers/providers.ts'
import { type Chain, knownChain } from '../../src/chains/registry.ts'
import type { SignedTransaction, Terms } from '../../src/chains/sending.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { type EvmDevnet, rpc } from '../devnets/evm.ts'

/** Answers in place of a node, or passes its answer on. */
export type Change = (method: string, params: unknown[], truth: () => Promise<unknown>) => Promise<unknown>

/** A provider in front of a node that changes some of its answers. */
export const changed =
  (url: string, name: string, change: Change) =>
  (gate: Gate): JsonRpc => {
    const real = openJsonRpc(url, 5000, (_, request) => request(), name)
    const one = (method: string, params: unknown) =>
      change(method, params as unknown[], () => real.call(method, params as unknown[]))
    return {
      ...real,
      call: (method, params) => gate(method, () => one(method, params)),
      callMany: (method, params) => gate(method, () => Promise.all(params.map((each) => one(method, each)))),
    }
  }

/** An unmodified endpoint. */
export const plain =
  (url: string, name = 'node') =>
  (gate: Gate): JsonRpc =>
    openJsonRpc(url, 5000, gate, name)

export const providersOf = (open: readonly ((gate: Gate) => JsonRpc)[]) =>
  createProviders<JsonRpc>(open, { observe: { called: () => {}, refused: () => {} } })

/** A registry's chain on a devnet. */
export function chainOn(devnet: EvmDevnet, rules: Partial<Chain> = {}): Chain {
  const known = knownChain(devnet.chain)
  if (!known) throw new Error(`no chain ${devnet.chain}`)
  const contracts = { USDC: devnet.usdc, USDT: devnet.usdt ?? '' }
  return {
    ...known,
    network: String(devnet.chainId),
    tokens: known.tokens.map((token) => ({
      ...token,
      contract: contracts[token.symbol],
      decimals: devnet.decimals,
    })),
    lookalikes: known.lookalikes.map((token) => ({
      ...token,
      contract: devnet.bridgedUsdc ?? token.contract,
    })),
    ...rules,
  }
}

/** Sending on a devnet, with steps that a test performs by hand. */
export function sendingOn(
  devnet: EvmDevnet,
  rules: Partial<Chain> = {},
  open: readonly ((gate: Gate) => JsonRpc)[] = [plain(devnet.rpcUrl)],
) {
  const ctx: EvmSenderContext = { providers: providersOf(open), chain: chainOn(devnet, rules) }
  const [builder, sender] = [evmTransferBuilder(ctx.chain), evmTransferSender(ctx)]
  const call = (method: string, ...params: unknown[]) => rpc(devnet.rpcUrl, method, params)
  return {
    ctx,
    builder,
    sender,
    call,
    usdc: { contract: devnet.usdc, symbol: 'USDC', decimals: devnet.decimals },
    mine: (blocks = 1) => call('anvil_mine', numberToHex(blocks)),
    fund: (address: string, wei: bigint) => call('anvil_setBalance', address, numberToHex(wei)),
    sign: (action: Action, terms: Terms, nonce: bigint, key: Hex): SignedTransaction =>
      builder.sign(action, terms, nonce, [new Secret(key)]),
  }
}
