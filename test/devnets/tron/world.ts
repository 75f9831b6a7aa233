/** The chain's state: accounts, code, storage. Every change is recorded, so that blocks can be undone. */

export type Resource = 'BANDWIDTH' | 'ENERGY'

export interface Permission {
  id: number
  name: string
  type: 'Owner' | 'Active'
  threshold: number
  keys: { address: string; weight: number }[]
  /** One bit per contract type; active permissions only. */
  operations?: string
}

export interface Account {
  address: string
  contract: boolean
  /** Sun. Below 2^53, given the devnet's supply. */
  balance: number
  /** The EVM's; Tron has no nonces. */
  nonce: number
  createTime: number
  /** Bytes, and the slot in which they were counted. */
  freeNetUsage: number
  freeNetSlot: number
  netUsage: number
  netSlot: number
  energyUsage: number
  energySlot: number
  latestOperationTime: number
  frozen: { [resource in Resource]: number }
  /** TRC-10 by id. */
  assets: { [id: string]: number }
  permissions?: Permission[]
}

export interface Contract {
  contract_address: string
  origin_address: string
  name?: string
  /** The submitted ABI, `{ entrys }`. */
  abi: object
  bytecode: string
  consume_user_resource_percent?: number
  origin_energy_limit?: number
}

/** Accounts and contracts, or hex of code and storage. Values are immutable. */
export type Entry = Account | Contract | string

export type Changes = [key: string, before: Entry | null][]

export interface World {
  entries: Map<string, Entry>
  /** Changes since the last block, oldest first. */
  changes: Changes
}

export function setEntry(world: World, key: string, entry: Entry | null): void {
  world.changes.push([key, world.entries.get(key) ?? null])
  put(world, key, entry)
}

function put(world: World, key: string, entry: Entry | null): void {
  if (entry === null) world.entries.delete(key)
  else world.entries.set(key, entry)
}

/** Undoes every change since `mark`, an earlier length of `changes`. */
export function rollBack(world: World, mark: number): void {
  for (const [key, before] of world.changes.splice(mark).reverse()) put(world, key, before)
}

/** Ends a block's changes and starts the next block's. @returns the entries before the block */
export function sealChanges(world: World): Changes {
  const first = new Map<string, Entry | null>()
  for (const [key, before] of world.changes.splice(0)) if (!first.has(key)) first.set(key, before)
  return [...first]
}

/** Undoes a sealed block's changes. */
export function undoSealed(world: World, changes: Changes): void {
  for (const [key, before] of changes) put(world, key, before)
}

export const accountKey = (address: string) => `account ${address}`
export const contractKey = (address: string) => `contract ${address}`
export const codeKey = (address: string) => `code ${address}`
export const slotKey = (address: string, slot: string) => `slot ${address} ${slot}`

export const accountOf = (world: World, address: string): Account | undefined =>
  world.entries.get(accountKey(address)) as Account | undefined
export const contractOf = (world: World, address: string): Contract | undefined =>
  world.entries.get(contractKey(address)) as Contract | undefined
export const codeOf = (world: World, address: string): string =>
  (world.entries.get(codeKey(address)) as string | undefined) ?? ''

export const setAccount = (world: World, account: Account): void =>
  setEntry(world, accountKey(account.address), account)

export function createAccount(world: World, address: string, createTime: number, contract = false): Account {
  const account: Account = {
    address,
    contract,
    balance: 0,
    nonce: 0,
    createTime,
    freeNetUsage: 0,
    freeNetSlot: 0,
    netUsage: 0,
    netSlot: 0,
    energyUsage: 0,
    energySlot: 0,
    latestOperationTime: 0,
    frozen: { BANDWIDTH: 0, ENERGY: 0 },
    assets: {},
  }
  setAccount(world, account)
  return account
}

/** Adds to (or subtracts from) a balance. @returns false, without a change, if the balance is too low */
export function addBalance(world: World, address: string, sun: number): boolean {
  const account = accountOf(world, address)
  if (!account || account.balance + sun < 0) return false
  if (sun !== 0) setAccount(world, { ...account, balance: account.balance + sun })
  return true
}
