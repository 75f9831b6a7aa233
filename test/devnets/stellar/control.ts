import { Keypair, Operation, StrKey } from '@stellar/stellar-sdk'
import type { Chain } from './chain.ts'
import { transferCall } from './contract.ts'
import type { Flags } from './faces.ts'
import { build, keypairs, tokens } from './genesis.ts'
import { parseAmount } from './values.ts'

export interface Controlled {
  chain: Chain
  /** Flags by face. Each change creates a new object. */
  faces: Map<string, Flags>
  /** Stops and starts the timer. */
  hold(on: boolean): void
}

export class UnknownAction extends Error {}

/** Actions for tests that no network offers. */
export function control(controlled: Controlled, { action, ...params }: Record<string, unknown>): object {
  const { chain, faces, hold } = controlled
  switch (action) {
    case 'mine':
      return mine(chain, params)
    case 'hold':
      hold(params.on !== false)
      return { on: params.on !== false }
    case 'reorg':
      return {
        dropped: chain.reorg(Number(params.depth ?? 1), params.keep === true),
        height: chain.latest().sequence,
      }
    case 'misbehave': {
      const { face, clear, ...flags } = params
      faces.set(String(face), clear === true ? {} : { ...faces.get(String(face)), ...(flags as Flags) })
      return { face, flags: faces.get(String(face)) }
    }
    case 'contractTransfer':
      return contractTransfer(chain, params)
    default:
      throw new UnknownAction(`unknown action: ${String(action)}`)
  }
}

/**
 * Closes ledgers now: the first with the pending transactions, each later one a second after the previous if
 * a time is given.
 */
function mine(chain: Chain, { count = 1, time }: { count?: unknown; time?: unknown }): object {
  const ids: string[] = []
  for (let i = 0; i < Number(count); i++)
    ids.push(chain.close(time === undefined ? undefined : Number(time) + i).hash)
  return { height: chain.latest().sequence, ids }
}

/**
 * A transfer by the asset's own contract (SAC), submitted like any transaction: it is in the next ledger.
 * `from`: the payer's secret; the faucet's by default.
 */
function contractTransfer(chain: Chain, params: Record<string, unknown>): object {
  const signer = typeof params.from === 'string' ? signerOf(params.from) : keypairs.faucet
  const amount = parseAmount(String(params.amount))
  if (amount === null) throw new UnknownAction('contractTransfer: amount must be like 1.5')
  const call = transferCall(chain.network.passphrase, {
    asset: String(params.asset ?? tokens.usdc.toString()),
    from: signer.publicKey(),
    to: String(params.to),
    amount,
    muxedId: params.muxedId === undefined ? undefined : String(params.muxedId),
  })
  const envelope = build(chain, signer, (builder) =>
    builder.addOperation(operationOf(call)).setSorobanData(call.data),
  )
  const { status, hash } = chain.submit(envelope)
  return { hash, status }
}

const operationOf = ({ body }: ReturnType<typeof transferCall>) => {
  if (body.type !== 'invokeHostFunction') throw new Error(`not a contract call: ${body.type}`)
  const { hostFunction, auth } = body.invokeHostFunctionOp
  return Operation.invokeHostFunction({ func: hostFunction, auth })
}

/** Accounts with a key in the devnet can also be named by their address. */
function signerOf(from: string): Keypair {
  if (StrKey.isValidEd25519SecretSeed(from)) return Keypair.fromSecret(from)
  const known = Object.values(keypairs).find((each) => each.publicKey() === from)
  if (!known) throw new UnknownAction('contractTransfer: from must be a secret key')
  return known
}
