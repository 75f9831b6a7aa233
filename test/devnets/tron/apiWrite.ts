/** Calls, drafts and broadcasts of java-tron's HTTP API. */
import { keccak256, stringToBytes } from 'viem'
import { checkCallValue, transfer } from './actuators.ts'
import { atTop, type Method, type View } from './apiRead.ts'
import { transactionJson, witnessAddress } from './blocks.ts'
import { headOf, push } from './chain.ts'
import { Refusal, RequestError } from './errors.ts'
import { internalJson, type Transaction } from './execute.ts'
import { hexOf, type Json, type JsonObject } from './json.ts'
import { draftTransaction, readHexTransaction, readTransaction, withHexAddresses } from './transactions.ts'
import { runContract, type VmOutcome } from './vm.ts'
import { contractOf, rollBack } from './world.ts'

/** java-tron's `vm.maxEnergyLimitForConstant`. */
const constantEnergy = 100_000_000

const draft = (view: View, type: string, value: JsonObject, params: JsonObject): Transaction => {
  const { id, header } = headOf(view.chain)
  return draftTransaction(type, value, {
    refBlock: { id, timestamp: header.timestamp },
    feeLimit: Number(params.fee_limit ?? 0),
    memo: params.extra_data,
    permissionId: params.Permission_id,
  })
}

/** A draft has no `ret` and no signature. */
function draftJson(tx: Transaction, params: JsonObject): JsonObject {
  const { signature: _signature, ...json } = transactionJson(tx, null)
  return { visible: params.visible === true || params.visible === 'true', ...json }
}

/** A validation message, without the prefix that a broadcast adds. */
const validation = (error: Refusal): string => error.message.replace('Contract validate error : ', '')

const createTransaction: Method = (view, body) => {
  const params = withHexAddresses(body)
  const { world } = view.chain
  const { owner_address, to_address, amount } = params
  const mark = world.changes.length
  try {
    transfer({ world, time: headOf(view.chain).header.timestamp }, { owner_address, to_address, amount })
    return draftJson(draft(view, 'TransferContract', { owner_address, to_address, amount }, params), params)
  } catch (error) {
    if (error instanceof Refusal)
      throw new RequestError('org.tron.core.exception.ContractValidateException', validation(error))
    throw error
  } finally {
    rollBack(world, mark)
  }
}

interface Call {
  owner: string
  contract: string
  data: string
  value: number
}

function callOf(params: JsonObject): Call {
  const { owner_address, contract_address, function_selector, parameter, data, call_value } = params
  const selector =
    typeof function_selector === 'string' && function_selector !== ''
      ? keccak256(stringToBytes(function_selector)).slice(2, 10)
      : null
  return {
    owner: String(owner_address ?? ''),
    contract: String(contract_address ?? ''),
    data:
      selector === null
        ? String(data ?? '').replace(/^0x/, '')
        : selector + String(parameter ?? '').replace(/^0x/, ''),
    value: Number(call_value ?? 0),
  }
}

const contractValue = ({ owner, contract, data, value }: Call): JsonObject => ({
  owner_address: owner,
  ...(contract ? { contract_address: contract } : {}),
  ...(value ? { call_value: value } : {}),
  ...(data ? { data } : {}),
})

/** Runs a call on the view's state, then rolls it back. @throws Refusal */
function tryCall(view: View, call: Call): Promise<VmOutcome> | VmOutcome {
  const { world } = view.chain
  return atTop(view, async () => {
    if (call.contract && !contractOf(world, call.contract))
      throw new Refusal('CONTRACT_VALIDATE_ERROR', 'Smart contract is not exist.')
    if (call.value > 0) checkCallValue(world, call.owner, call.value)
    const block = view.chain.blocks[view.top]?.header
    const mark = world.changes.length
    try {
      return await runContract(world, {
        txId: '0'.repeat(64),
        owner: call.owner,
        contract: call.contract || null,
        data: call.data,
        value: call.value,
        energyLimit: constantEnergy,
        block: {
          number: block?.number ?? 0,
          timestamp: block?.timestamp ?? 0,
          witness: block?.witness_address ?? witnessAddress(0),
        },
      })
    } finally {
      rollBack(world, mark)
    }
  })
}

const refusalResult = (error: unknown): JsonObject => {
  if (!(error instanceof Refusal)) throw error
  return { result: { code: error.code, message: hexOf(validation(error)) } }
}

/** java-tron, Wallet.callConstantContract: a revert is `result: true` with a message. */
const constantCall: Method = async (view, body) => {
  const params = withHexAddresses(body)
  const call = callOf(params)
  if (call.owner === '')
    throw new RequestError('org.tron.core.exception.InvalidParameterException', "owner_address isn't set.")
  try {
    const outcome = await tryCall(view, call)
    if (outcome.error && outcome.result !== 'REVERT')
      return {
        result: {
          code: 'OTHER_ERROR',
          message: hexOf(`class org.tron.core.vm.program.Program$Exception : ${outcome.error}`),
        },
      }
    const json = draftJson(
      draft(view, 'TriggerSmartContract', contractValue(call), { ...params, fee_limit: 0 }),
      params,
    )
    return {
      result: { result: true, ...(outcome.error ? { message: hexOf(outcome.error) } : {}) },
      energy_used: outcome.energy,
      constant_result: [outcome.returned],
      ...(outcome.logs.length > 0 ? { logs: outcome.logs.map((log) => ({ ...log })) } : {}),
      ...(outcome.internal.length > 0 ? { internal_transactions: outcome.internal.map(internalJson) } : {}),
      transaction: { ret: [outcome.error ? { ret: 'FAILED' } : {}], ...json },
    }
  } catch (error) {
    return refusalResult(error)
  }
}

const estimateEnergy: Method = async (view, body) => {
  try {
    const outcome = await tryCall(view, callOf(withHexAddresses(body)))
    if (outcome.error) return { result: { code: 'CONTRACT_EXE_ERROR', message: hexOf(outcome.error) } }
    return { result: { result: true }, energy_required: outcome.energy }
  } catch (error) {
    return refusalResult(error)
  }
}

/**
 * A draft of a call. java-tron runs methods that the ABI marks constant at once; tronweb uses another
 * endpoint for that.
 */
const triggerContract: Method = (view, body) => {
  const params = withHexAddresses(body)
  const call = callOf(params)
  if (!contractOf(view.chain.world, call.contract)) {
    return {
      result: {
        code: 'CONTRACT_VALIDATE_ERROR',
        message: hexOf('No contract or not a valid smart contract'),
      },
    }
  }
  return {
    result: { result: true },
    transaction: draftJson(draft(view, 'TriggerSmartContract', contractValue(call), params), params),
  }
}

interface Sent {
  code: string
  message: string
  tx: Transaction | null
}

/** A lagging face accepts transactions too, and forwards them. */
async function send(view: View, read: () => Transaction): Promise<Sent> {
  let tx: Transaction | null = null
  try {
    tx = read()
    await push(view.chain, tx)
    return { code: 'SUCCESS', message: '', tx }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { code: error.code, message: error.message, tx }
  }
}

export const writes: { [method: string]: Method } = {
  createtransaction: createTransaction,
  triggerconstantcontract: constantCall,
  estimateenergy: estimateEnergy,
  triggersmartcontract: triggerContract,
  // In `Return`, SUCCESS (zero) is omitted, and so is `result: false`.
  broadcasttransaction: async (view, params): Promise<Json> => {
    const { code, message, tx } = await send(view, () => readTransaction(params))
    return {
      ...(code === 'SUCCESS' ? { result: true } : { code, message: hexOf(message) }),
      ...(tx ? { txid: tx.id } : {}),
    }
  },
  broadcasthex: async (view, params): Promise<Json> => {
    const { code, message, tx } = await send(view, () => readHexTransaction(String(params.transaction ?? '')))
    const transaction = tx ? JSON.stringify({ signature: tx.signatures, raw_data: tx.data }) : ''
    return { result: code === 'SUCCESS', code, message, transaction, ...(tx ? { txid: tx.id } : {}) }
  },
}
