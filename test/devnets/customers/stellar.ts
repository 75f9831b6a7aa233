import {
  Asset,
  BASE_FEE,
  Keypair,
  Memo,
  Operation,
  rpc,
  TimeoutInfinite,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk'
import type { Order, Purse } from './order.ts'

export interface StellarPurse extends Purse {
  networkPassphrase: string
}

export const assetOf = (text: string): Asset => {
  const [code = '', issuer] = text.split(':')
  return issuer === undefined ? Asset.native() : new Asset(code, issuer)
}

/** Pays with stellar-sdk: with a memo of type `id`, or to a muxed address. @returns the transaction's hash */
export function payOnStellar(purse: StellarPurse, { address, memo, token, amount }: Order): Promise<string> {
  return sendOnStellar(
    purse,
    [Operation.payment({ destination: address, asset: assetOf(token), amount })],
    memo === undefined ? undefined : Memo.id(memo),
  )
}

/**
 * Signs and sends operations of the purse's account, and of the other signers. @returns the transaction's
 * hash
 */
export async function sendOnStellar(
  { rpcUrl, faucetPrivateKey, networkPassphrase }: StellarPurse,
  operations: readonly xdr.Operation[],
  memo?: Memo,
  signers: readonly Keypair[] = [],
): Promise<string> {
  const server = new rpc.Server(rpcUrl, { allowHttp: true })
  const payer = Keypair.fromSecret(faucetPrivateKey)
  const account = await server.getAccount(payer.publicKey())
  // No end time: a devnet's clock may be ahead of this one.
  const builder = new TransactionBuilder(account, {
    fee: BASE_FEE,
    networkPassphrase,
    ...(memo ? { memo } : {}),
  }).setTimeout(TimeoutInfinite)
  for (const operation of operations) builder.addOperation(operation)
  const transaction = builder.build()
  transaction.sign(payer, ...signers)
  const answer = await server.sendTransaction(transaction)
  if (answer.status !== 'PENDING') throw new Error(`stellar refused: ${answer.status}`)
  return answer.hash
}
