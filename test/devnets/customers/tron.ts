import { TronWeb, type Types } from 'tronweb'
import { baseUnits, type Order, type Purse } from './order.ts'

/** The maximum that the customer pays for energy: a devnet's USDT takes a fifth of it. */
const feeLimit = 100_000_000

export interface TronPurse extends Purse {
  /** Set where the node requires one, as TronGrid does. */
  apiKey?: string | null
}

const opened = ({ rpcUrl, faucetPrivateKey, apiKey }: TronPurse) =>
  new TronWeb({
    fullHost: rpcUrl,
    privateKey: faucetPrivateKey,
    ...(apiKey ? { headers: { 'TRON-PRO-API-KEY': apiKey } } : {}),
  })

/** Pays TRC-20 with tronweb. @returns the transaction's id */
export function payOnTron(purse: TronPurse, { address, token, amount, decimals }: Order): Promise<string> {
  return callOnTron(purse, token, 'transfer(address,uint256)', [
    { type: 'address', value: address },
    { type: 'uint256', value: baseUnits(amount, decimals).toString() },
  ])
}

/** Calls a contract, optionally with TRX (in sun). @returns the transaction's id */
export async function callOnTron(
  purse: TronPurse,
  contract: string,
  signature: string,
  parameters: { type: string; value: unknown }[],
  options: { callValue?: number; feeLimit?: number } = {},
): Promise<string> {
  const tronWeb = opened(purse)
  const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
    contract,
    signature,
    { feeLimit, ...options },
    parameters,
  )
  return broadcast(tronWeb, transaction)
}

/** Sends TRX, in sun. @returns the transaction's id */
export async function sendTrx(purse: TronPurse, to: string, sun: number): Promise<string> {
  const tronWeb = opened(purse)
  const from = tronWeb.defaultAddress.base58
  if (!from) throw new Error('the purse has no address')
  return broadcast(tronWeb, await tronWeb.transactionBuilder.sendTrx(to, sun, from))
}

async function broadcast(tronWeb: TronWeb, transaction: Types.Transaction): Promise<string> {
  const answer = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction))
  if (!answer.result)
    throw new Error(`tron refused: ${answer.code} ${Buffer.from(answer.message ?? '', 'hex')}`)
  return answer.transaction.txID
}
