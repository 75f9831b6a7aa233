/**
 * Validation and execution of each contract type, with java-tron's messages (package org.tron.core.actuator).
 */
import { invalid } from './errors.ts'
import { isObject, type Json, type JsonObject, toBase58 } from './json.ts'
import { parameters, trx } from './parameters.ts'
import { firstActiveId } from './signatures.ts'
import {
  accountOf,
  addBalance,
  createAccount,
  type Permission,
  type Resource,
  setAccount,
  type World,
} from './world.ts'

const number = (value: Json | undefined): number => (typeof value === 'number' ? value : 0)
const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const validAddress = (address: string): boolean => /^41[0-9a-f]{40}$/.test(address)

/** A TRC-10 token's id is its digits as bytes. */
const assetId = (value: Json | undefined): string => Buffer.from(text(value), 'hex').toString('utf8')

/** Fee for an account that the transaction creates, in addition to its bandwidth. */
const activationFee = (world: World, to: string): number =>
  accountOf(world, to) ? 0 : parameters.getCreateNewAccountFeeInSystemContract

export interface ActuatorContext {
  world: World
  /** The head's time, in milliseconds. */
  time: number
}

/**
 * Executes one contract. @returns the fee in sun, which is burned. @throws Refusal CONTRACT_VALIDATE_ERROR
 */
export type Actuator = (context: ActuatorContext, value: JsonObject) => number

export const transfer: Actuator = ({ world, time }, value) => {
  const [owner, to, amount] = [text(value.owner_address), text(value.to_address), number(value.amount)]
  if (!validAddress(owner)) throw invalid('Invalid ownerAddress!')
  if (!validAddress(to)) throw invalid('Invalid toAddress!')
  if (to === owner) throw invalid('Cannot transfer TRX to yourself.')
  const from = accountOf(world, owner)
  if (!from) throw invalid('Validate TransferContract error, no OwnerAccount.')
  if (amount <= 0) throw invalid('Amount must be greater than 0.')
  const fee = activationFee(world, to)
  if (parameters.getForbidTransferToContract && accountOf(world, to)?.contract)
    throw invalid('Cannot transfer TRX to a smartContract.')
  if (from.balance < amount + fee)
    throw invalid('Validate TransferContract error, balance is not sufficient.')
  if (!accountOf(world, to)) createAccount(world, to, time)
  addBalance(world, owner, -amount - fee)
  addBalance(world, to, amount)
  return fee
}

export const transferAsset: Actuator = ({ world, time }, value) => {
  const [owner, to, amount, id] = [
    text(value.owner_address),
    text(value.to_address),
    number(value.amount),
    assetId(value.asset_name),
  ]
  if (!validAddress(owner)) throw invalid('Invalid ownerAddress')
  if (!validAddress(to)) throw invalid('Invalid toAddress')
  if (amount <= 0) throw invalid('Amount must be greater than 0.')
  if (to === owner) throw invalid('Cannot transfer asset to yourself.')
  const from = accountOf(world, owner)
  if (!from) throw invalid('No owner account!')
  if (id !== trc10.id) throw invalid('No asset!')
  const held = from.assets[id] ?? 0
  if (held <= 0) throw invalid('assetBalance must be greater than 0.')
  if (amount > held) throw invalid('assetBalance is not sufficient.')
  const known = accountOf(world, to)
  if (known?.contract) throw invalid('Cannot transfer asset to smartContract.')
  const fee = activationFee(world, to)
  if (from.balance < fee) throw invalid('Validate TransferAssetActuator error, insufficient fee.')
  const receiver = known ?? createAccount(world, to, time)
  setAccount(world, { ...from, balance: from.balance - fee, assets: { ...from.assets, [id]: held - amount } })
  setAccount(world, {
    ...receiver,
    assets: { ...receiver.assets, [id]: (receiver.assets[id] ?? 0) + amount },
  })
  return fee
}

/** The devnet's only TRC-10 token, issued at genesis. */
export const trc10 = { id: '1000001', supply: 1_000_000_000_000 }

export const createAccountContract: Actuator = ({ world, time }, value) => {
  const [owner, address] = [text(value.owner_address), text(value.account_address)]
  if (!validAddress(owner)) throw invalid('Invalid ownerAddress')
  const from = accountOf(world, owner)
  if (!from) throw invalid(`Account[${owner}] not exists`)
  const fee = parameters.getCreateNewAccountFeeInSystemContract
  if (from.balance < fee) throw invalid('Validate CreateAccountActuator error, insufficient fee.')
  if (!validAddress(address)) throw invalid('Invalid account address')
  if (accountOf(world, address)) throw invalid('Account has existed')
  createAccount(world, address, time)
  addBalance(world, owner, -fee)
  return fee
}

export const freezeBalanceV2: Actuator = ({ world }, value) => {
  const [owner, amount] = [text(value.owner_address), number(value.frozen_balance)]
  const account = accountOf(world, owner)
  if (!account) throw invalid(`Account[${owner}] not exists`)
  if (amount <= 0) throw invalid('frozenBalance must be positive')
  if (amount < trx) throw invalid('frozenBalance must be greater than or equal to 1 TRX')
  if (amount > account.balance) throw invalid('frozenBalance must be less than or equal to accountBalance')
  const resource: Resource = value.resource === 'ENERGY' ? 'ENERGY' : 'BANDWIDTH'
  setAccount(world, {
    ...account,
    balance: account.balance - amount,
    frozen: { ...account.frozen, [resource]: account.frozen[resource] + amount },
  })
  return 0
}

export const updatePermissions: Actuator = ({ world }, value) => {
  const owner = text(value.owner_address)
  const account = accountOf(world, owner)
  if (!account) throw invalid('ownerAddress account does not exist')
  if (!isObject(value.owner)) throw invalid('owner permission is missed')
  const actives = Array.isArray(value.actives) ? value.actives.filter(isObject) : []
  if (actives.length === 0) throw invalid('active permission is missed')
  const fee = parameters.getUpdateAccountPermissionFee
  if (account.balance < fee) throw invalid('Balance is not sufficient.')
  const permissions = [
    permissionOf(value.owner, 0),
    ...actives.map((active, i) => permissionOf(active, firstActiveId + i)),
  ]
  setAccount(world, { ...account, balance: account.balance - fee, permissions })
  return fee
}

function permissionOf(json: JsonObject, id: number): Permission {
  const keys = Array.isArray(json.keys)
    ? json.keys.filter(isObject).map((key) => ({ address: text(key.address), weight: number(key.weight) }))
    : []
  const threshold = number(json.threshold)
  const name = text(json.permission_name)
  if (keys.length === 0) throw invalid("key's count should be greater than 0")
  if (threshold <= 0) throw invalid("permission's threshold should be greater than 0")
  for (const { address, weight } of keys) {
    if (!validAddress(address)) throw invalid('key is not a validate address')
    if (weight <= 0) throw invalid("key's weight should be greater than 0")
  }
  if (new Set(keys.map(({ address }) => address)).size < keys.length)
    throw invalid(`address should be distinct in permission ${name}`)
  if (keys.reduce((sum, { weight }) => sum + weight, 0) < threshold)
    throw invalid(`sum of all key's weight should not be less than threshold in permission ${name}`)
  return {
    id,
    name,
    type: id === 0 ? 'Owner' : 'Active',
    threshold,
    keys,
    ...(id === 0 ? {} : { operations: text(json.operations) }),
  }
}

/** java-tron, VMUtils.validateForSmartContract: TRX sent with a call or a deployment. */
export function checkCallValue(world: World, owner: string, value: number): void {
  const account = accountOf(world, owner)
  if (!account) throw invalid(`account [${toBase58(owner)}] does not exist`)
  if (value < 0) throw invalid('callValue must be >= 0')
  if (account.balance < value) throw invalid('Validate InternalTransfer error, balance is not sufficient.')
}
