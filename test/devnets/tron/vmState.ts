/** The EVM's state manager, over the world's entries. */
import type { AccountFields, StateManagerInterface } from '@ethereumjs/common'
import {
  type Address,
  bytesToUnprefixedHex,
  hexToBytes,
  KECCAK256_NULL,
  Account as VmAccount,
} from '@ethereumjs/util'
import { keccak256 } from 'viem'
import {
  accountKey,
  accountOf,
  codeKey,
  codeOf,
  contractKey,
  contractOf,
  createAccount,
  rollBack,
  setAccount,
  setEntry,
  slotKey,
  type World,
} from './world.ts'

const bytesOf = (hex: string): Uint8Array => hexToBytes(`0x${hex}`)
export const hexOfBytes = (bytes: Uint8Array): string => bytesToUnprefixedHex(bytes)
/** The EVM uses the 20 bytes after the prefix. */
export const tronAddress = (address: Address): string => `41${hexOfBytes(address.bytes)}`

export interface VmStateOptions {
  world: World
  /** Milliseconds: the `create_time` of accounts created by contracts. */
  time: number
  /** The transaction's owner: the origin of contracts deployed by contracts. */
  origin: string
}

/** One per execution. Accounts created in it are remembered, so that empty ones from before are kept. */
export function vmState(options: VmStateOptions): StateManagerInterface {
  const { world, time, origin } = options
  const marks: number[] = []
  const created = new Set<string>()
  const originals = new Map<string, Uint8Array>()

  const storage = (address: Address, key: Uint8Array): Uint8Array => {
    const value = world.entries.get(slotKey(tronAddress(address), hexOfBytes(key)))
    return typeof value === 'string' ? bytesOf(value) : new Uint8Array(0)
  }
  const original = (address: Address, key: Uint8Array): Uint8Array => {
    const name = slotKey(tronAddress(address), hexOfBytes(key))
    const known = originals.get(name) ?? storage(address, key)
    originals.set(name, known)
    return known
  }
  const getAccount = async (address: Address): Promise<VmAccount | undefined> => {
    const account = accountOf(world, tronAddress(address))
    if (!account) return undefined
    const code = codeOf(world, account.address)
    return new VmAccount(
      BigInt(account.nonce),
      BigInt(account.balance),
      undefined,
      code ? hexToBytes(keccak256(`0x${code}`)) : KECCAK256_NULL,
    )
  }
  const putAccount = async (address: Address, account?: VmAccount): Promise<void> => {
    if (!account) return
    const key = tronAddress(address)
    if (!accountOf(world, key)) created.add(key)
    const known = accountOf(world, key) ?? createAccount(world, key, time)
    setAccount(world, { ...known, balance: Number(account.balance), nonce: Number(account.nonce) })
  }

  const state: StateManagerInterface = {
    getAccount,
    putAccount,
    // EIP-158 removes touched empty accounts. On Tron an active account stays.
    deleteAccount: async (address) => {
      const key = tronAddress(address)
      if (created.has(key)) setEntry(world, accountKey(key), null)
    },
    modifyAccountFields: async (address, fields: AccountFields) => {
      const account = (await getAccount(address)) ?? new VmAccount()
      account.nonce = fields.nonce ?? account.nonce
      account.balance = fields.balance ?? account.balance
      await putAccount(address, account)
    },
    getCode: async (address) => bytesOf(codeOf(world, tronAddress(address))),
    getCodeSize: async (address) => codeOf(world, tronAddress(address)).length / 2,
    putCode: async (address, code) => {
      const key = tronAddress(address)
      const account = accountOf(world, key) ?? createAccount(world, key, time)
      setAccount(world, { ...account, contract: true })
      setEntry(world, codeKey(key), hexOfBytes(code))
      if (!contractOf(world, key))
        setEntry(world, contractKey(key), {
          contract_address: key,
          origin_address: origin,
          abi: {},
          bytecode: hexOfBytes(code),
          consume_user_resource_percent: 100,
        })
    },
    getStorage: async (address, key) => storage(address, key),
    putStorage: async (address, key, value) => {
      original(address, key)
      setEntry(
        world,
        slotKey(tronAddress(address), hexOfBytes(key)),
        value.some((byte) => byte !== 0) ? hexOfBytes(value) : null,
      )
    },
    clearStorage: async () => {},
    checkpoint: async () => void marks.push(world.changes.length),
    commit: async () => void marks.pop(),
    revert: async () => rollBack(world, marks.pop() ?? world.changes.length),
    originalStorageCache: {
      get: async (address, key) => original(address, key),
      clear: () => originals.clear(),
    },
    // No state root: only Ethereum's blocks need one.
    getStateRoot: async () => new Uint8Array(32),
    setStateRoot: async () => {},
    hasStateRoot: async () => false,
    clearCaches: () => originals.clear(),
    shallowCopy: () => vmState(options),
  }
  return state
}
