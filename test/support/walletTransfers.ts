import type { Hex } from 'viem'
import { RpcError } from '../../src/chains/providers/jsonRpc.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { readAttempts } from '../../src/txmgr/attempts.ts'
import type { SendingChain, TxManagerContext } from '../../src/txmgr/context.ts'
import { insertIntent, readIntents } from '../../src/txmgr/intents.ts'
import { reconcileIntent } from '../../src/txmgr/reconcile.ts'
import type { Check } from '../../src/txmgr/signingPolicy.ts'
import { signPending } from '../../src/txmgr/signPending.ts'
import { startEvmDevnet } from '../devnets/evm.ts'
import { createTestDatabase } from './database.ts'
import { defaultSettings } from './defaultSettings.ts'
import { addressOf, intentOf, keyOf } from './evmIntents.ts'
import { type Change, changed, sendingOn } from './evmSending.ts'
import { proofs, provers } from './intentKeys.ts'
import { insertBusiness } from './madeBusiness.ts'
import { transfersWith, walletsWith } from './purposes.ts'

export type WalletTransfers = Awaited<ReturnType<typeof startWalletTransfers>>

const asItIs = () => ({
  /** The proxy in front of the node. */
  change: ((_method, _params, truth) => truth()) as Change,
  /** Runs in a reconciliation, after the claim and before anything is read. */
  inLook: async (): Promise<unknown> => null,
  /** Runs where the chain's next nonce of an address is read. */
  inNonce: async (): Promise<unknown> => null,
  /** Runs in the treasury, after it has read the request and before it stores the signature. */
  inTreasury: async (): Promise<unknown> => null,
})

const recipient = addressOf(keyOf(7))

/**
 * Transfers of stored wallets by worker and treasury, on a node and a database; a test starts each
 * reconciliation and each signature.
 */
export async function startWalletTransfers(name: 'bsc' | 'base' = 'bsc') {
  const [database, devnet] = await Promise.all([
    createTestDatabase(),
    startEvmDevnet({ chain: name, blockSeconds: 0 }),
  ])
  const { db } = database
  const ids = { business: newId(), key: newId() }
  await insertBusiness(db, ids.business, 'sender')
  await db.query(
    "insert into wallet_keys (id, public_key, provider, wrapped_key, sealed, retired_at) values ($1, '', 'env', '', '', now())",
    [ids.key],
  )
  const hooks = asItIs()
  const rules = { confirmations: 1, finalizedDepth: 2 }
  const node = sendingOn(devnet, rules)
  const by = sendingOn(devnet, rules, [changed(devnet.rpcUrl, 'node', (...asked) => hooks.change(...asked))])
  const { nextNonce } = by.sender
  if (!nextNonce) throw new Error('an EVM chain has nonces')
  const sender: SendingChain['sender'] = {
    ...by.sender,
    nextNonce: async (address) => {
      await hooks.inNonce()
      return nextNonce(address)
    },
  }
  const chain = { chain: by.ctx.chain, builder: by.builder, sender } as unknown as SendingChain
  const ctx: TxManagerContext = {
    db,
    log: createLog('test', 'silent'),
    sendingChain: async () => {
      await hooks.inLook()
      return chain
    },
    purposes: transfersWith(),
    prover: provers.worker,
    reconcileMs: 1,
    bumpAfterMs: 1,
    unminableMs: 60_000,
    feeWaitMs: 3_600_000,
    settings: defaultSettings,
    environment: 'test',
    observe: () => {},
  }
  const { native } = by.ctx.chain
  let keys = 3000

  async function wallet() {
    const key = keyOf(keys++)
    const address = addressOf(key)
    await node.fund(address, 10n ** 18n)
    const id = newId()
    await db.query(
      "insert into wallets (id, business_id, chain, address, public_key, source, key_id, sealed) values ($1, $2, $5, $3, '', 'private_key', $4, '')",
      [id, ids.business, address, ids.key, name],
    )
    return { id, address, key }
  }

  /** A new transfer, of a wallet of its own or of this one. */
  async function asked(
    amount = 5n,
    from?: Awaited<ReturnType<typeof wallet>>,
    gasPrice: bigint | null = null,
    validUntil: Date | null = null,
  ) {
    const sender = from ?? (await wallet())
    const wanted = {
      businessId: ids.business,
      purpose: 'transfer',
      chain: name,
      signer: 'wallet',
      symbol: native.symbol,
      decimals: 18,
    } as const
    const transfer = intentOf({ from: sender.address, to: recipient, amount, gasPrice })
    const { id } = await db.tx((tx) =>
      insertIntent(ctx, tx, { ...wanted, walletId: sender.id, action: transfer, validUntil }, 0, provers.api),
    )
    const treasury = (without: readonly Check[] = []) =>
      signPending({
        db,
        log: ctx.log,
        environment: 'test',
        proofs,
        signing: async () => ({ chain: by.ctx.chain, builder: by.builder }),
        signers: walletsWith(async () => {
          await hooks.inTreasury()
          return new Secret(sender.key)
        }),
        purposes: ctx.purposes,
        signed: () => {},
        without,
      })
    const reconcile = async () => {
      await db.query(
        "update intents set next_reconcile_at = now() - interval '1 s' where id = $1 and next_reconcile_at is not null",
        [id],
      )
      await reconcileIntent(ctx, id)
    }
    return {
      id,
      wallet: sender,
      reconcile,
      treasury,
      row: async () => (await readIntents(db, 'id = $1', [id]))[0],
      transactions: () => readAttempts(db, id),
      /** Planned, signed, and sent once. */
      async send() {
        await reconcile()
        await treasury()
        await reconcile()
      },
      /** A transaction that the wallet's owner sends with the same key and nonce, at a higher price. */
      async ownerSends(of: { to: string; amount: bigint } = { to: sender.address, amount: 1n }) {
        const terms = {
          gas: '21000',
          maxFeePerGas: '900000000000',
          maxPriorityFeePerGas: '900000000000',
          l1Fee: '0',
        }
        return (
          await node.sender.broadcast(
            node.sign(intentOf({ from: sender.address, ...of }), terms, 0n, sender.key),
          )
        ).status
      },
      count: async () =>
        BigInt((await node.call('eth_getTransactionCount', sender.address, 'latest')) as Hex),
      /** Moves the start of the waiting time back. */
      waits: (seconds: number) =>
        db.query(
          "update intents set unminable_since = unminable_since - $2 * interval '1 second' where id = $1",
          [id, seconds],
        ),
    }
  }

  return {
    db,
    business: ids.business,
    node,
    ctx,
    /** As the worker and the treasury read it. */
    chain: by.ctx.chain,
    hooks,
    reset: () => void Object.assign(hooks, asItIs()),
    recipient,
    asked,
    /** The recipient's native coin. */
    recipientHas: async () => BigInt((await node.call('eth_getBalance', recipient, 'latest')) as Hex),
    async close() {
      await Promise.all([node, by].map((each) => each.ctx.providers.close()))
      await devnet.stop()
      await database.drop()
    },
  }
}

/** A node that keeps the bytes of transactions to itself, and refuses them. */
export function refusing(message: string) {
  const kept: Hex[] = []
  const change: Change = async (method, params, truth) => {
    if (method !== 'eth_sendRawTransaction') return truth()
    kept.push(params[0] as Hex)
    throw new RpcError('node: eth_sendRawTransaction', -32000, message)
  }
  return { kept, change }
}
