import { Address, StrKey, scValToBigInt, xdr } from '@stellar/stellar-sdk'
import { type OperationContext, OperationFailure } from './context.ts'
import { i128, transferEvent } from './events.ts'
import { credit, debit } from './money.ts'
import { accountIn } from './state.ts'
import { type AssetName, sdkAsset, sha256 } from './values.ts'

/*
 * The only supported contract call: `transfer` of a Stellar Asset Contract between two accounts (CAP-46-6,
 * CAP-67). Implemented in TypeScript: no contract is executed.
 */

const trapped = (): never => {
  const result = xdr.InvokeHostFunctionResult.invokeHostFunctionTrapped()
  throw new OperationFailure(xdr.OperationResult.opInner(xdr.OperationResultTr.invokeHostFunction(result)))
}

interface Transfer {
  asset: AssetName
  from: string
  to: string
  id: bigint | null
  amount: bigint
}

function transferOf(
  call: xdr.InvokeContractArgs,
  assetOfContract: (contract: string) => AssetName | undefined,
): Transfer | null {
  const [from, to, amount] = call.args
  const asset = assetOfContract(Address.fromScAddress(call.contractAddress).toString())
  const known = asset !== undefined && call.functionName.toString() === 'transfer' && call.args.length === 3
  if (!known || from?.type !== 'scvAddress' || to?.type !== 'scvAddress' || amount?.type !== 'scvI128')
    return null
  const payer = from.address
  const payee = to.address
  if (payer.type !== 'scAddressTypeAccount') return null
  const muxed = payee.type === 'scAddressTypeMuxedAccount' ? payee.muxedAccount : null
  if (!muxed && payee.type !== 'scAddressTypeAccount') return null
  return {
    asset,
    from: Address.fromScAddress(payer).toString(),
    to: muxed ? StrKey.encodeEd25519PublicKey(muxed.ed25519.value) : Address.fromScAddress(payee).toString(),
    id: muxed?.id ?? null,
    amount: scValToBigInt(amount),
  }
}

/** @returns the result: a hash of the call's return value and events, as the protocol requires */
export function invokeContract(
  context: OperationContext,
  op: xdr.InvokeHostFunctionOp,
  assetOfContract: (contract: string) => AssetName | undefined,
): xdr.OperationResultTr {
  const { frame, source, tx } = context
  const transfer =
    op.hostFunction.type === 'hostFunctionTypeInvokeContract'
      ? transferOf(op.hostFunction.invokeContract, assetOfContract)
      : null
  if (!transfer || transfer.amount < 0n) return trapped()
  // Authorized by the source account's credentials: its signature on the transaction.
  const authorized = op.auth.some(({ credentials }) => credentials.type === 'sorobanCredentialsSourceAccount')
  if (transfer.from !== source || !authorized || !accountIn(frame, transfer.to)) return trapped()
  const { asset, from, to, amount, id } = transfer
  if (debit(frame, from, asset, amount) || credit(frame, to, asset, amount)) return trapped()
  const event = transferEvent(tx.ledger.network, asset, {
    from: { account: from },
    to: { account: to },
    amount,
    id: id === null ? null : xdr.ScVal.scvU64(id),
  })
  context.events.push(event)
  const preimage = new xdr.InvokeHostFunctionSuccessPreImage({
    returnValue: xdr.ScVal.scvVoid(),
    events: [event],
  })
  const success = xdr.InvokeHostFunctionResult.invokeHostFunctionSuccess(sha256(preimage.toXdr()))
  return xdr.OperationResultTr.invokeHostFunction(success)
}

/** The call that transfers an asset by its contract. Its declared resources are not enforced here. */
export function transferCall(
  passphrase: string,
  {
    asset,
    from,
    to,
    amount,
    muxedId,
  }: { asset: AssetName; from: string; to: string; amount: bigint; muxedId?: string | undefined },
): { body: xdr.OperationBody; data: xdr.SorobanTransactionData } {
  const contractAddress = Address.fromString(sdkAsset(asset).contractId(passphrase)).toScAddress()
  const plain = Address.fromString(to).toScAddress()
  const payee =
    muxedId === undefined
      ? plain
      : xdr.ScAddress.scAddressTypeMuxedAccount(
          new xdr.MuxedEd25519Account({ id: BigInt(muxedId), ed25519: StrKey.decodeEd25519PublicKey(to) }),
        )
  const call = new xdr.InvokeContractArgs({
    contractAddress,
    functionName: 'transfer',
    args: [
      xdr.ScVal.scvAddress(Address.fromString(from).toScAddress()),
      xdr.ScVal.scvAddress(payee),
      i128(amount),
    ],
  })
  const root = new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(call),
    subInvocations: [],
  })
  const auth = [
    new xdr.SorobanAuthorizationEntry({
      credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
      rootInvocation: root,
    }),
  ]
  const hostFunction = xdr.HostFunction.hostFunctionTypeInvokeContract(call)
  return {
    body: xdr.OperationBody.invokeHostFunction(new xdr.InvokeHostFunctionOp({ hostFunction, auth })),
    data: new xdr.SorobanTransactionData({
      ext: xdr.SorobanTransactionDataExt.v0(),
      resources: new xdr.SorobanResources({
        footprint: new xdr.LedgerFootprint({ readOnly: [], readWrite: [] }),
        instructions: 1_000_000,
        diskReadBytes: 1_000,
        writeBytes: 1_000,
      }),
      resourceFee: 50_000n,
    }),
  }
}
