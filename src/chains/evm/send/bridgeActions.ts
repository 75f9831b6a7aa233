import type { Address } from 'viem'
import { encodeFunctionData, pad } from 'viem/utils'
import type { CallsSpec, Flow } from '../../action.ts'
import { type BridgeActions, type BridgedChain, finality } from '../../bridging.ts'
import { zeroWord } from '../../cctpMessage.ts'
import { approveAbi, messageTransmitterAbi, tokenMessengerAbi } from './bridgeAbi.ts'

/** Calls of TokenMessengerV2 and MessageTransmitterV2. A burn takes an allowance of exactly its amount. */
export function evmBridgeActions({ cctp }: BridgedChain): BridgeActions {
  const { tokenMessenger, messageTransmitter } = cctp
  return {
    approval({ from, token, amount }) {
      const data = encodeFunctionData({
        abi: approveAbi,
        functionName: 'approve',
        args: [tokenMessenger as Address, amount],
      })
      return callOf(from, token.contract, data, [])
    },
    burn({ from, token, amount, destinationDomain, mintRecipient, maxFee, speed, hook }) {
      const spends = [{ address: from, token, amount }]
      const contract = token.contract as Address
      const args = [
        amount,
        destinationDomain,
        mintRecipient,
        contract,
        zeroWord,
        maxFee,
        finality[speed],
      ] as const
      const data =
        hook === '0x'
          ? encodeFunctionData({ abi: tokenMessengerAbi, functionName: 'depositForBurn', args })
          : encodeFunctionData({
              abi: tokenMessengerAbi,
              functionName: 'depositForBurnWithHook',
              args: [...args, hook],
            })
      return callOf(from, tokenMessenger, data, spends)
    },
    mint(from, { message, attestation }) {
      const data = encodeFunctionData({
        abi: messageTransmitterAbi,
        functionName: 'receiveMessage',
        args: [message, attestation],
      })
      return callOf(from, messageTransmitter, data, [])
    },
    wordOf: (address) => pad(address as Address, { size: 32 }),
  }
}

const callOf = (from: string, to: string, data: string, spends: readonly Flow[]): CallsSpec => ({
  kind: 'calls',
  from,
  calls: [{ to, data, value: 0n, accounts: [] }],
  cosigners: [],
  spends,
  receives: [],
  gasPrice: null,
  gasLimit: null,
})
