/** Read methods of java-tron's HTTP API (package org.tron.core.services.http). A missing item is `{}`. */

import { accountJson, netJson, resourceJson } from './accountJson.ts'
import { type Block, infosOf, transactionJson } from './blocks.ts'
import { type Chain, headOf, stateAt } from './chain.ts'
import { RequestError } from './errors.ts'
import { slotOf } from './execute.ts'
import { type Flags, shownBlock, shownInfo, shownInfos, shownTransaction } from './faces.ts'
import { type Json, type JsonObject, toBase58, toHexAddress } from './json.ts'
import { parameters } from './parameters.ts'
import { accountOf, codeOf, contractOf } from './world.ts'

/** A request's view of the chain. */
export interface View {
  chain: Chain
  flags: Flags
  /** The highest visible block: the face's head, or its last solid block. */
  top: number
  /** The face's last solid block. */
  solidTop: number
  /** `/walletsolidity/*` */
  solid: boolean
}

export type Method = (view: View, params: JsonObject) => Json | Promise<Json>

const maxRange = 100

function blockAt(view: View, height: number): Block | undefined {
  return height > view.top || height < (view.flags.pruneBelow ?? 0) ? undefined : view.chain.blocks[height]
}
const show = (view: View, block: Block | undefined, detail = true): Json =>
  block ? shownBlock(view.flags, block, detail) : {}
const blockById = (view: View, id: string) => {
  const block = blockAt(view, Number.parseInt(id.slice(0, 16), 16))
  return block?.id === id.toLowerCase() ? block : undefined
}

/** A number from a POST body or a query string. @throws RequestError */
function integer(value: Json | undefined, fallback = 0): number {
  if (value === undefined || value === '') return fallback
  const number = Number(value)
  if (!Number.isSafeInteger(number))
    throw new RequestError('java.lang.NumberFormatException', `For input string: "${String(value)}"`)
  return number
}

function range(view: View, from: number, to: number): Json {
  const blocks: Json[] = []
  for (let height = Math.max(0, from); height < to; height++) {
    const block = blockAt(view, height)
    if (block) blocks.push(show(view, block))
  }
  return { block: blocks }
}

/** A wrong `id_or_num` is reported without an exception's class (java-tron, GetBlockServlet). */
function getBlock(view: View, params: JsonObject): Json {
  const detail = params.detail === true || params.detail === 'true'
  const idOrNum = params.id_or_num === undefined ? '' : String(params.id_or_num)
  if (idOrNum === '') return show(view, blockAt(view, view.top), detail)
  if (/^-?\d+$/.test(idOrNum) && Number.isSafeInteger(Number(idOrNum))) {
    return Number(idOrNum) < 0
      ? { Error: 'num must be non-positive number.' }
      : show(view, blockAt(view, Number(idOrNum)), detail)
  }
  return /^[0-9a-fA-F]{64}$/.test(idOrNum)
    ? show(view, blockById(view, idOrNum), detail)
    : { Error: 'id must be legal block hash.' }
}

/** On a full node a pending transaction is known, with its result. */
function transactionById(view: View, id: string): Json {
  const height = view.chain.heights.get(id)
  const known =
    height === undefined ? undefined : blockAt(view, height)?.transactions.find(({ tx }) => tx.id === id)
  const behind = view.top < headOf(view.chain).header.number
  const found =
    known ?? (view.solid || behind ? undefined : view.chain.pending.find(({ tx }) => tx.id === id))
  return found ? (shownTransaction(view.flags, transactionJson(found.tx, found.outcome)) ?? {}) : {}
}

function infoById(view: View, id: string): Json {
  const height = view.chain.heights.get(id)
  const block = height === undefined ? undefined : blockAt(view, height)
  const info = block && infosOf(block).find((each) => each.id === id)
  return info ? (shownInfo(view.flags, info) ?? {}) : {}
}

/** The state of this view: a full node's own includes pending transactions. */
export function atTop<T>(view: View, read: () => T | Promise<T>): Promise<T> | T {
  const whole = !view.solid && view.top === headOf(view.chain).header.number
  return whole ? read() : stateAt(view.chain, view.top, read)
}

const account = (
  view: View,
  params: JsonObject,
  show: (found: NonNullable<ReturnType<typeof accountOf>>, slot: number) => Json,
): Promise<Json> | Json =>
  atTop(view, () => {
    const address = toHexAddress(params.address)
    const found = address === null ? undefined : accountOf(view.chain.world, address)
    const [genesis, head] = [view.chain.blocks[0], view.chain.blocks[view.top]]
    return found ? show(found, slotOf(head?.header.timestamp ?? 0, genesis?.header.timestamp ?? 0)) : {}
  })

export const reads: { [method: string]: Method } = {
  getnowblock: (view) => show(view, blockAt(view, view.top)),
  getblock: getBlock,
  getblockbynum: (view, params) => show(view, blockAt(view, integer(params.num))),
  getblockbyid: (view, params) => show(view, blockById(view, String(params.value ?? ''))),
  getblockbylimitnext: (view, params) => {
    const [from, to] = [integer(params.startNum), integer(params.endNum)]
    return to > 0 && to > from && to - from <= maxRange ? range(view, from, to) : {}
  },
  getblockbylatestnum: (view, params) => {
    const count = integer(params.num)
    return count > 0 && count < maxRange ? range(view, view.top - count + 1, view.top + 1) : {}
  },
  gettransactionbyid: (view, params) => transactionById(view, String(params.value ?? '')),
  gettransactioninfobyid: (view, params) => infoById(view, String(params.value ?? '')),
  // An empty block and a missing one both give an empty list.
  gettransactioninfobyblocknum: (view, params) => {
    const height = integer(params.num)
    if (height <= 0) return {}
    const block = blockAt(view, height)
    return block ? shownInfos(view.flags, view.chain, block) : []
  },
  getaccount: (view, params) =>
    account(view, params, (found, slot) =>
      accountJson(found, slot, view.chain.blocks[0]?.header.timestamp ?? 0),
    ),
  getaccountresource: (view, params) => account(view, params, resourceJson),
  getaccountnet: (view, params) => account(view, params, netJson),
  getcontract: (view, params) =>
    atTop(view, () => {
      const found = contractOf(view.chain.world, toHexAddress(params.value) ?? '')
      return found ? (JSON.parse(JSON.stringify(found)) as Json) : {}
    }),
  getcontractinfo: (view, params) =>
    atTop(view, () => {
      const address = toHexAddress(params.value) ?? ''
      const found = contractOf(view.chain.world, address)
      return found
        ? {
            smart_contract: JSON.parse(JSON.stringify(found)) as Json,
            runtimecode: codeOf(view.chain.world, address),
            contract_state: {},
          }
        : {}
    }),
  getchainparameters: () => ({
    chainParameter: Object.entries(parameters).map(([key, value]) =>
      value === 0 ? { key } : { key, value },
    ),
  }),
  getenergyprices: () => ({ prices: `0:${parameters.getEnergyFee}` }),
  getbandwidthprices: () => ({ prices: `0:${parameters.getTransactionFee}` }),
  getnodeinfo: (view) => {
    const text = (height: number) => `Num:${height},ID:${view.chain.blocks[height]?.id ?? ''}`
    return {
      beginSyncNum: 0,
      block: text(view.top),
      solidityBlock: text(view.solidTop),
      currentConnectCount: 0,
      configNodeInfo: { codeVersion: '4.8.0', supportConstant: true },
    }
  },
  validateaddress: (_view, params) => validateAddress(String(params.address ?? '')),
}

/** java-tron, ValidateAddressServlet. */
function validateAddress(input: string): Json {
  if (input.length !== 42 && input.length !== 34) return { result: false, message: 'Length error' }
  const address = toHexAddress(input)
  if (address === null) return { result: false, message: 'Invalid address' }
  return { result: true, message: toBase58(address) === input ? 'Base58check format' : 'Hex string format' }
}
