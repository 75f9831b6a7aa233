import { Address, Asset, Keypair, Networks, nativeToScVal, xdr } from '@stellar/stellar-sdk/base'
import { madeEvent } from '../../support/madeLedger.ts'

/** Changes one operation's events. */
export type EventForgery = (events: readonly xdr.ContractEvent[]) => xdr.ContractEvent[]

const outsider = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 0xc0)).publicKey()
const receiver = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 0xc1)).publicKey()
const address = xdr.ScVal.scvAddress(Address.fromString(outsider).toScAddress())
const outsiderAsset = new Asset('USDC', outsider)

/** False answers about an operation's last event. */
export const eventForgeries: Record<string, EventForgery> = {
  'left out': (events) => events.slice(0, -1),
  added: (events) => [
    ...events,
    madeEvent({
      from: outsider,
      to: receiver,
      asset: 'native',
      amount: 5n,
      contract: Asset.native().contractId(Networks.PUBLIC),
    }),
  ],
  repeated: (events) => [...events, ...events.slice(-1)],
  'of another amount': (events) =>
    last(events, (topics) => ({ topics, data: nativeToScVal(5n, { type: 'i128' }) })),
  'to another receiver': (events) =>
    last(events, (topics, data) => ({ topics: topics.with(-2, address), data })),
  'from another sender': (events) =>
    last(events, (topics, data) => ({ topics: topics.with(1, address), data })),
  'of another asset': (events) =>
    last(
      events,
      (topics, data) => ({ topics: topics.with(-1, xdr.ScVal.scvString(outsiderAsset.toString())), data }),
      outsiderAsset.contractId(Networks.PUBLIC),
    ),
}

function last(
  events: readonly xdr.ContractEvent[],
  change: (topics: xdr.ScVal[], data: xdr.ScVal) => { topics: xdr.ScVal[]; data: xdr.ScVal },
  contract?: string,
): xdr.ContractEvent[] {
  const event = events.at(-1)
  if (!event) return []
  const { topics, data } = event.body.v0
  const other = new xdr.ContractEvent({
    ...event,
    ...(contract ? { contractId: Address.fromString(contract).toScAddress().value as xdr.ContractId } : {}),
    body: xdr.ContractEventBody.v0(new xdr.ContractEventV0(change([...topics], data))),
  })
  return [...events.slice(0, -1), other]
}
