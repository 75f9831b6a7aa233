/** Runs contracts on a real EVM, with Tron's rules for addresses, energy and internal transactions. */
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { Address, hexToBytes } from '@ethereumjs/util'
import { createVM } from '@ethereumjs/vm'
import { keccak256 } from 'viem'
import { hexOfBytes, tronAddress, vmState } from './vmState.ts'
import type { ContractResult } from './wire.ts'
import {
  accountKey,
  accountOf,
  codeKey,
  codeOf,
  contractKey,
  rollBack,
  setEntry,
  type World,
} from './world.ts'

export interface InternalTransaction {
  hash: string
  caller_address: string
  transferTo_address: string
  /** Sun. */
  callValue: number
  note: 'call' | 'create' | 'suicide'
  rejected: boolean
}

export interface Log {
  /** 20 bytes, without Tron's prefix. */
  address: string
  topics: string[]
  data: string
}

export interface VmCall {
  txId: string
  /** `41…` */
  owner: string
  /** Null: deploys `data`. */
  contract: string | null
  data: string
  /** Sun. */
  value: number
  energyLimit: number
  block: { number: number; timestamp: number; witness: string }
}

export interface VmOutcome {
  result: ContractResult
  energy: number
  /** Hex. */
  returned: string
  logs: Log[]
  internal: InternalTransaction[]
  /** java-tron's `runtimeError`. */
  error?: string
  created?: string
}

/** Cancun, like the TVM of java-tron 4.8 (TIP-650, TIP-651). */
const common = new Common({ chain: Mainnet, hardfork: Hardfork.Cancun })

const vmAddress = (address: string): Address => new Address(hexToBytes(`0x${address.slice(2)}`))
const addressFromHash = (hex: string): Address => new Address(hexToBytes(keccak256(`0x${hex}`)).slice(12))
const long = (value: number): string => value.toString(16).padStart(16, '0')

/**
 * java-tron, WalletUtil.generateContractAddress: derived from the transaction's id and its owner, not from a
 * nonce.
 */
export const deployedAddress = (txId: string, owner: string): string =>
  tronAddress(addressFromHash(txId + owner))

/** java-tron's names of EVM failures (Program.Exception and Transaction.Result.contractResult). */
const failures: Record<string, ContractResult> = {
  revert: 'REVERT',
  'out of gas': 'OUT_OF_ENERGY',
  'code store out of gas': 'OUT_OF_ENERGY',
  'invalid opcode': 'ILLEGAL_OPERATION',
  'invalid JUMP': 'BAD_JUMP_DESTINATION',
  'stack underflow': 'STACK_TOO_SMALL',
  'stack overflow': 'STACK_TOO_LARGE',
}

const selfDestruct = 0xff
const push1 = 0x60
const push32 = 0x7f

function maySelfDestruct(code: Uint8Array): boolean {
  for (let at = 0; at < code.length; at++) {
    const opcode = code[at] ?? 0
    if (opcode === selfDestruct) return true
    if (opcode >= push1 && opcode <= push32) at += opcode - push1 + 1
  }
  return false
}

/**
 * Runs a contract on `world` and keeps its changes there; a failed run is rolled back.
 *
 * Energy is the EVM's gas without the 21,000 of a transaction and without calldata, which Tron bills as
 * bandwidth; nothing is refunded. An approximation: the TVM prices storage and calls as Ethereum did before
 * EIP-2929, and its dynamic energy model surcharges busy contracts.
 */
export async function runContract(world: World, call: VmCall): Promise<VmOutcome> {
  const mark = world.changes.length
  const vm = await createVM({
    common,
    stateManager: vmState({ world, time: call.block.timestamp, origin: call.owner }),
  })
  const { evm } = vm
  const internal: InternalTransaction[] = []
  /**
   * Per frame: the index of its first internal transaction, and the parent hash of its internal transactions.
   */
  const frames: { from: number; hash: string }[] = []
  let steps = false

  const record = (
    note: InternalTransaction['note'],
    from: Address,
    to: Address,
    callValue: bigint,
    data: string,
  ) => {
    const parent = frames.at(-1)?.hash ?? call.txId
    const transferTo = tronAddress(to)
    const hash = keccak256(
      `0x${parent}${note === 'create' ? '' : transferTo}${data}${long(Number(callValue))}${long(internal.length + 1)}`,
    ).slice(2)
    internal.push({
      hash,
      caller_address: tronAddress(from),
      transferTo_address: transferTo,
      callValue: Number(callValue),
      note,
      rejected: false,
    })
    return hash
  }
  const watchSteps = () => {
    if (steps) return
    steps = true
    evm.events?.on('step', ({ opcode, stack, address }, next) => {
      const to = stack.at(-1)
      if (opcode.name === 'SELFDESTRUCT' && to !== undefined) {
        const heir = new Address(hexToBytes(`0x${to.toString(16).padStart(64, '0').slice(24)}`))
        record('suicide', address, heir, BigInt(accountOf(world, tronAddress(address))?.balance ?? 0), '')
      }
      next?.()
    })
  }
  // The EVM derives addresses from nonces; Tron has no nonces. A contract's child: from the transaction's id
  // and a counter.
  const childAddress = (
    message: { salt?: Uint8Array; caller: Address },
    code: Uint8Array,
    counter: number,
  ): Address =>
    message.salt
      ? addressFromHash(tronAddress(message.caller) + hexOfBytes(message.salt) + keccak256(code).slice(2))
      : addressFromHash(call.txId + long(counter))
  Object.assign(evm, {
    _generateAddress: async (message: {
      depth: number
      salt?: Uint8Array
      caller: Address
      code: Uint8Array
    }): Promise<Address> =>
      message.depth === 0
        ? addressFromHash(call.txId + call.owner)
        : childAddress(message, message.code, internal.length - 1),
  })
  evm.events?.on('beforeMessage', async (message, next) => {
    const code = message.to
      ? hexToBytes(`0x${codeOf(world, tronAddress(message.codeAddress))}`)
      : message.data
    if (maySelfDestruct(code)) watchSteps()
    let hash = call.txId
    const from = internal.length
    if (message.depth > 0 && !message.isCompiled) {
      // A delegate call transfers nothing and runs as the caller.
      const [caller, value] =
        message.delegatecall && message.to ? [message.to, 0n] : [message.caller, message.value]
      const to = message.to ?? childAddress(message, message.data, internal.length)
      hash = record(message.to ? 'call' : 'create', caller, to, value, hexOfBytes(message.data))
    }
    frames.push({ from, hash })
    next?.()
  })
  evm.events?.on('afterMessage', ({ execResult }, next) => {
    const frame = frames.pop()
    if (execResult.exceptionError) for (const each of internal.slice(frame?.from ?? 0)) each.rejected = true
    next?.()
  })

  const { execResult, createdAddress } = await evm.runCall({
    caller: vmAddress(call.owner),
    origin: vmAddress(call.owner),
    ...(call.contract ? { to: vmAddress(call.contract) } : {}),
    data: hexToBytes(`0x${call.data}`),
    value: BigInt(call.value),
    gasLimit: BigInt(call.energyLimit),
    block: {
      header: {
        number: BigInt(call.block.number),
        timestamp: BigInt(Math.floor(call.block.timestamp / 1000)),
        coinbase: vmAddress(call.block.witness),
        difficulty: 0n,
        prevRandao: new Uint8Array(32),
        gasLimit: BigInt(call.energyLimit),
        baseFeePerGas: 0n,
        getBlobGasPrice: () => 1n,
      },
    },
  })
  await evm.journal.cleanup()

  const returned = hexOfBytes(execResult.returnValue)
  const energy = Number(execResult.executionGasUsed)
  const failure = execResult.exceptionError?.error
  if (failure !== undefined) {
    rollBack(world, mark)
    const result = failures[failure] ?? 'UNKNOWN'
    return {
      result,
      energy,
      returned: result === 'REVERT' ? returned : '',
      logs: [],
      internal,
      error: errorText(result, call, energy),
    }
  }
  for (const address of execResult.selfdestruct?.keys() ?? []) {
    // EIP-6780, TIP-6780: a contract is removed only in the transaction that created it.
    if (execResult.createdAddresses?.has(address)) {
      const key = `41${address.slice(2)}`
      for (const entry of [accountKey(key), codeKey(key), contractKey(key)]) setEntry(world, entry, null)
    }
  }
  const logs = (execResult.logs ?? []).map(([address, topics, data]) => ({
    address: hexOfBytes(address),
    topics: topics.map(hexOfBytes),
    data: hexOfBytes(data),
  }))
  return {
    result: 'SUCCESS',
    energy,
    returned,
    logs,
    internal,
    ...(createdAddress ? { created: tronAddress(createdAddress) } : {}),
  }
}

/** Program.Exception's messages. The EVM does not report the operation and its cost. */
function errorText(result: ContractResult, call: VmCall, energy: number): string {
  if (result === 'REVERT') return 'REVERT opcode executed'
  if (result === 'OUT_OF_ENERGY')
    return `Not enough energy for operation executing: curInvokeEnergyLimit[${call.energyLimit}], usedEnergy[${energy}]`
  return result === 'ILLEGAL_OPERATION' ? 'Invalid operation code' : 'Unknown Exception'
}
