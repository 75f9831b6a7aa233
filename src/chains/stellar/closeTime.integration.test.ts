import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Asset, type Keypair, Operation } from '@stellar/stellar-sdk'
import { xdr } from '@stellar/stellar-sdk/base'
import { one, openStellarSending, type StellarSending } from '../../../test/support/stellarSending.ts'
import type { Action, CallsSpec } from '../action.ts'
import { type JsonRpc, openJsonRpc } from '../providers/jsonRpc.ts'
import { createProviders, type Gate } from '../providers/providers.ts'
import { stellarTransferSender } from './transferSender.ts'

let stellar: StellarSending
let [payer, payee] = [] as unknown as [Keypair, Keypair]
beforeAll(async () => {
  stellar = await openStellarSending()
  ;[payer, payee] = [await stellar.holder(), await stellar.holder()]
})
afterAll(() => stellar?.close())

/** The same ledger, closed so many seconds later. */
function movedBy(headerXdr: string, seconds: number): string {
  const entry = xdr.LedgerHeaderHistoryEntry.fromXdr(headerXdr, 'base64')
  const value = entry.header.scpValue as { closeTime: bigint }
  value.closeTime = BigInt(value.closeTime) + BigInt(seconds)
  return entry.toXdr('base64')
}

/** Plans by a node whose newest ledger closed at another time, and an honest one. */
async function planned(offset: number, action: Action) {
  const open = (name: string) => (gate: Gate) =>
    openJsonRpc(stellar.network.devnet.faceUrls('first').rpcUrl, 20_000, gate, name)
  const liar = (gate: Gate): JsonRpc => {
    const rpc = open('liar')(gate)
    const call: JsonRpc['call'] = async (method, params) => {
      const answer = (await rpc.call(method, params)) as { ledgers?: { headerXdr: string }[] }
      if (method === 'getLatestLedger') return { ...answer, headerXdr: undefined }
      if (method !== 'getLedgers') return answer
      return {
        ...answer,
        ledgers: answer.ledgers?.map((each) => ({ ...each, headerXdr: movedBy(each.headerXdr, offset) })),
      }
    }
    return { ...rpc, call }
  }
  const providers = createProviders<JsonRpc>([liar, open('honest')], {
    observe: { called: () => {}, refused: () => {} },
  })
  const { terms } = await stellarTransferSender({ providers, chain: stellar.chain }).plan(action)
  const doubted = providers.states().flatMap(({ name, open: rests }) => (rests ? [name] : []))
  await providers.close()
  return { maxTime: Number(terms.maxTime), doubted }
}

const calls = (): CallsSpec => {
  const payment = Operation.payment({ destination: payee.publicKey(), asset: Asset.native(), amount: '1' })
  const call = { to: payer.publicKey(), data: payment.toXdr('base64'), value: 0n, accounts: [] }
  return {
    kind: 'calls',
    from: payer.publicKey(),
    calls: [call],
    cosigners: [],
    spends: [],
    receives: [],
    gasPrice: null,
    gasLimit: null,
  }
}
const day = 86_400

test.each([day, -day])(
  'a node whose ledger closed %d s off sets no time limit, and is doubted alone',
  async (offset) => {
    await stellar.mine(Math.floor(Date.now() / 1000))
    for (const action of [stellar.intentOf(payer, payee.publicKey(), one), calls()]) {
      const { maxTime, doubted } = await planned(offset, action)
      expect(Math.abs(maxTime - Date.now() / 1000)).toBeLessThan(1000)
      expect(doubted).toEqual(['liar'])
    }
  },
)
