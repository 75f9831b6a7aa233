/**
 * Executes one transaction on the chain's state: fees, effects, and its info. java-tron,
 * Manager.processTransaction.
 */
import {
  type Actuator,
  checkCallValue,
  createAccountContract,
  freezeBalanceV2,
  transfer,
  transferAsset,
  updatePermissions,
} from './actuators.ts'
import { invalid } from './errors.ts'
import { type ContractType, hexOf, isObject, type JsonObject, type RawData } from './json.ts'
import { limits, parameters } from './parameters.ts'
import { energyLimit, payBandwidth, payEnergy, payFee, type Receipt } from './resources.ts'
import { deployedAddress, type InternalTransaction, type Log, runContract } from './vm.ts'
import { type ContractResult, encodeTransaction, type SignedTransaction } from './wire.ts'
import { accountOf, contractKey, contractOf, rollBack, setEntry, type World } from './world.ts'

export interface Transaction extends SignedTransaction {
  id: string
  type: ContractType
  data: RawData
}

/** A transaction's outcome, without its block. */
export interface Outcome {
  contractRet: ContractResult
  fee: number
  contractResult: string
  contract_address?: string
  receipt: Receipt
  log: Log[]
  internal: InternalTransaction[]
  /** Set if the contract failed: java-tron's runtime error. */
  error?: string
}

export interface BlockContext {
  number: number
  timestamp: number
  witness: string
  /** The previous block's time: resources are counted at it. */
  headTime: number
  genesisTime: number
}

export const ownerOf = (tx: Transaction): string =>
  String(tx.data.contract[0].parameter.value.owner_address ?? '')
const contractOfTx = (tx: Transaction): JsonObject => tx.data.contract[0].parameter.value

const actuators: { [type in ContractType]?: Actuator } = {
  TransferContract: transfer,
  TransferAssetContract: transferAsset,
  AccountCreateContract: createAccountContract,
  FreezeBalanceV2Contract: freezeBalanceV2,
  AccountPermissionUpdateContract: updatePermissions,
}

export const slotOf = (time: number, genesisTime: number): number =>
  Math.floor((time - genesisTime) / limits.blockIntervalMs)

/**
 * Executes a transaction, billing its resources first. A refused one leaves the world unchanged.
 * @throws Refusal
 */
export async function execute(world: World, tx: Transaction, block: BlockContext): Promise<Outcome> {
  const mark = world.changes.length
  try {
    const owner = ownerOf(tx)
    const slot = slotOf(block.headTime, block.genesisTime)
    const receiver = createdAddress(tx)
    const net = payBandwidth(world, {
      owner,
      bytes: encodeTransaction(tx).length + limits.resultBytes,
      slot,
      headTime: block.headTime,
      createsAccount: receiver !== null && !accountOf(world, receiver),
    })
    const extra =
      payFee(world, owner, tx.signatures.length > 1 ? parameters.getMultiSignFee : 0) +
      payFee(world, owner, tx.data.data ? parameters.getMemoFee : 0)
    const paid = (net.net_fee ?? 0) + extra
    const actuator = actuators[tx.type]
    if (!actuator) return await executeContract(world, tx, block, { net, paid, slot })
    const fee = actuator({ world, time: block.headTime }, contractOfTx(tx))
    return {
      contractRet: 'SUCCESS',
      fee: paid + fee,
      contractResult: '',
      receipt: net,
      log: [],
      internal: [],
    }
  } catch (error) {
    rollBack(world, mark)
    throw error
  }
}

/** The account that the transaction creates if it does not exist. */
function createdAddress(tx: Transaction): string | null {
  const value = contractOfTx(tx)
  if (tx.type === 'AccountCreateContract') return String(value.account_address ?? '')
  return tx.type === 'TransferContract' || tx.type === 'TransferAssetContract'
    ? String(value.to_address ?? '')
    : null
}

/** @throws Refusal if it cannot run at all; a failed run is an outcome */
async function executeContract(
  world: World,
  tx: Transaction,
  block: BlockContext,
  bill: { net: Receipt; paid: number; slot: number },
): Promise<Outcome> {
  const owner = ownerOf(tx)
  const value = contractOfTx(tx)
  const feeLimit = tx.data.fee_limit ?? 0
  const creation =
    tx.type === 'CreateSmartContract' && isObject(value.new_contract) ? value.new_contract : null
  const target = creation ? deployedAddress(tx.id, owner) : String(value.contract_address ?? '')
  const callValue = Number((creation ? creation.call_value : value.call_value) ?? 0)
  checkContract(world, tx, creation)
  checkCallValue(world, owner, callValue)
  const outcome = await runContract(world, {
    txId: tx.id,
    owner,
    contract: creation ? null : target,
    data: String((creation ? creation.bytecode : value.data) ?? ''),
    value: callValue,
    energyLimit: energyLimit(world, owner, feeLimit, callValue, bill.slot),
    block,
  })
  if (creation && outcome.result === 'SUCCESS') {
    setEntry(world, contractKey(target), {
      contract_address: target,
      origin_address: owner,
      name: String(creation.name ?? ''),
      abi: isObject(creation.abi) ? creation.abi : {},
      bytecode: String(creation.bytecode ?? ''),
      consume_user_resource_percent: Number(creation.consume_user_resource_percent ?? 0),
      origin_energy_limit: Number(creation.origin_energy_limit ?? 0),
    })
  }
  const energy = payEnergy(world, owner, outcome.energy, bill.slot)
  const { result } = outcome
  return {
    contractRet: result,
    fee: bill.paid + (energy.energy_fee ?? 0),
    contractResult: outcome.returned,
    contract_address: target,
    receipt: { ...bill.net, ...energy, result },
    log: outcome.logs,
    internal: outcome.internal,
    ...(outcome.error ? { error: outcome.error } : {}),
  }
}

function checkContract(world: World, tx: Transaction, creation: JsonObject | null): void {
  const value = contractOfTx(tx)
  const feeLimit = tx.data.fee_limit ?? 0
  if (creation) checkCreation(creation, ownerOf(tx))
  else if (!contractOf(world, String(value.contract_address ?? '')))
    throw invalid('No contract or not a smart contract')
  // No contract of the devnet accepts TRC-10.
  if (Number(value.call_token_value ?? 0) > 0)
    throw invalid(
      `invalid arguments with tokenValue = ${value.call_token_value}, tokenId = ${value.token_id ?? 0}`,
    )
  if (feeLimit < 0 || feeLimit > parameters.getMaxFeeLimit)
    throw invalid(`feeLimit must be >= 0 and <= ${parameters.getMaxFeeLimit}`)
}

function checkCreation(creation: JsonObject, owner: string): void {
  if (creation.origin_address !== owner) throw invalid('OwnerAddress is not equals OriginAddress')
  if (String(creation.name ?? '').length > 32)
    throw invalid("contractName's length cannot be greater than 32")
  const percent = Number(creation.consume_user_resource_percent ?? 0)
  if (percent < 0 || percent > 100) throw invalid('percent must be >= 0 and <= 100')
  if (Number(creation.origin_energy_limit ?? 0) <= 0) throw invalid('The originEnergyLimit must be > 0')
}

/**
 * TransactionInfo as JSON: zero values are omitted, and so is the receipt's `result` unless it is a contract
 * call.
 */
export function infoJson(
  id: string,
  outcome: Outcome,
  block: { number: number; timestamp: number },
): JsonObject {
  const nonZero = (fields: object): JsonObject =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== 0 && value !== undefined))
  return {
    id,
    ...nonZero({ fee: outcome.fee, blockNumber: block.number }),
    blockTimeStamp: block.timestamp,
    contractResult: [outcome.contractResult],
    ...nonZero({ contract_address: outcome.contract_address }),
    receipt: nonZero(outcome.receipt),
    ...(outcome.log.length > 0
      ? {
          log: outcome.log.map(({ address, topics, data }) => ({
            address,
            topics,
            ...(data ? { data } : {}),
          })),
        }
      : {}),
    ...(outcome.error ? { result: 'FAILED', resMessage: hexOf(outcome.error) } : {}),
    ...(outcome.internal.length > 0 ? { internal_transactions: outcome.internal.map(internalJson) } : {}),
  }
}

export const internalJson = (each: InternalTransaction): JsonObject => ({
  hash: each.hash,
  caller_address: each.caller_address,
  transferTo_address: each.transferTo_address,
  callValueInfo: [each.callValue === 0 ? {} : { callValue: each.callValue }],
  note: hexOf(each.note),
  ...(each.rejected ? { rejected: true } : {}),
})
