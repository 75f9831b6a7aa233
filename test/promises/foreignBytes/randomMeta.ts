import { Address, Asset, Networks, StrKey, xdr } from '@stellar/stellar-sdk/base'
import { mutatedBytes, type Random } from './mutate.ts'

// Metas of Stellar transactions with random values: no header commits to them.

const bytesOf = (random: Random, length: number) =>
  Buffer.from(Array.from({ length }, () => random.below(256)))
const account = (random: Random) => StrKey.encodeEd25519PublicKey(bytesOf(random, 32))
const contract = (random: Random) => StrKey.encodeContract(bytesOf(random, 32))
const ownContract = Asset.native().contractId(Networks.PUBLIC)

const texts = [
  'transfer',
  'mint',
  'burn',
  'clawback',
  'native',
  'USDC:',
  'a\0b',
  '\ud83d',
  '',
  'amount',
  'to_muxed_id',
  '__proto__',
  'x'.repeat(300),
]

export function randomScVal(random: Random, depth = 0): xdr.ScVal {
  const inner = () => randomScVal(random, depth + 1)
  const some = () => Array.from({ length: random.below(4) }, inner)
  const kind = random.below(depth > 5 ? 16 : 20)
  switch (kind) {
    case 0:
      return xdr.ScVal.scvVoid()
    case 1:
      return xdr.ScVal.scvBool(random.chance(0.5))
    case 2:
      return xdr.ScVal.scvU32(random.below(2 ** 32))
    case 3:
      return xdr.ScVal.scvI64(-BigInt(random.below(2 ** 32)) * 2n ** 31n)
    case 4:
      return xdr.ScVal.scvU64(2n ** 64n - 1n)
    case 5:
      return xdr.ScVal.scvBytes(bytesOf(random, random.below(40)))
    case 6:
    case 7:
      return xdr.ScVal.scvString(random.chance(0.5) ? random.of(texts) : `USDC:${account(random)}`)
    case 8:
    case 9:
      return xdr.ScVal.scvSymbol(random.of(texts).slice(0, 32))
    case 10:
    case 11:
      return xdr.ScVal.scvAddress(
        Address.fromString(random.chance(0.5) ? account(random) : contract(random)).toScAddress(),
      )
    case 12:
    case 13:
    case 14:
      return xdr.ScVal.scvI128(
        new xdr.Int128Parts({ hi: BigInt(random.below(5) - 2), lo: BigInt(random.below(1000)) }),
      )
    case 15:
      return xdr.ScVal.scvTimepoint(BigInt(random.below(1000)))
    case 16:
      return nestedVec(random.of([2, 20, 100]))
    case 17:
    case 18:
      return xdr.ScVal.scvVec(some())
    default:
      return xdr.ScVal.scvMap(
        some().map(
          (val) =>
            new xdr.ScMapEntry({
              key: random.chance(0.6)
                ? xdr.ScVal.scvSymbol(random.of(['amount', 'to_muxed_id', 'amount', '']))
                : inner(),
              val,
            }),
        ),
      )
  }
}

function nestedVec(depth: number): xdr.ScVal {
  let value: xdr.ScVal = xdr.ScVal.scvVoid()
  for (let level = 0; level < depth; level++) value = xdr.ScVal.scvVec([value])
  return value
}

/** Often of the form of CAP-67, by the right contract or another. */
function randomEvent(random: Random): xdr.ContractEvent {
  const alike = random.chance(0.5)
  const address = () => xdr.ScVal.scvAddress(Address.fromString(account(random)).toScAddress())
  const topics = alike
    ? [
        xdr.ScVal.scvSymbol(random.of(['transfer', 'mint', 'burn', 'clawback'])),
        address(),
        address(),
        xdr.ScVal.scvString('native'),
      ].slice(0, 2 + random.below(3))
    : Array.from({ length: random.below(6) }, () => randomScVal(random))
  const by = random.chance(0.7) ? ownContract : contract(random)
  return new xdr.ContractEvent({
    ext: xdr.ExtensionPoint.v0(),
    contractId: random.chance(0.1) ? null : (Address.fromString(by).toScAddress().value as xdr.ContractId),
    type: random.of([
      xdr.ContractEventType.contract,
      xdr.ContractEventType.contract,
      xdr.ContractEventType.system,
      xdr.ContractEventType.diagnostic,
    ]),
    body: xdr.ContractEventBody.v0(new xdr.ContractEventV0({ topics, data: randomScVal(random) })),
  })
}

/** A meta of any version in base64, for a transaction with so many operations; sometimes with other bytes. */
export function randomMeta(random: Random, operations: number): string {
  const ext = xdr.ExtensionPoint.v0()
  const count = random.chance(0.8) ? operations : random.below(4)
  const events = () => Array.from({ length: random.below(4) }, () => randomEvent(random))
  const plain = Array.from({ length: count }, () => new xdr.OperationMeta({ changes: [] }))
  const around = { txChangesBefore: [], operations: plain, txChangesAfter: [] }
  const make: (() => xdr.TransactionMeta)[] = [
    () => xdr.TransactionMeta.operations(plain),
    () => xdr.TransactionMeta.v1(new xdr.TransactionMetaV1({ txChanges: [], operations: plain })),
    () => xdr.TransactionMeta.v2(new xdr.TransactionMetaV2(around)),
    () => {
      const sorobanMeta = new xdr.SorobanTransactionMeta({
        ext: xdr.SorobanTransactionMetaExt.v0(),
        events: events(),
        returnValue: randomScVal(random),
        diagnosticEvents: [],
      })
      return xdr.TransactionMeta.v3(new xdr.TransactionMetaV3({ ext, ...around, sorobanMeta }))
    },
    ...Array.from({ length: 4 }, () => () => {
      const own = Array.from(
        { length: count },
        () => new xdr.OperationMetaV2({ ext, changes: [], events: events() }),
      )
      return xdr.TransactionMeta.v4(
        new xdr.TransactionMetaV4({
          ext,
          ...around,
          operations: own,
          sorobanMeta: null,
          events: [],
          diagnosticEvents: [],
        }),
      )
    }),
  ]
  const bytes = Buffer.from(random.of(make)().toXDR('base64'), 'base64')
  return Buffer.from(random.chance(0.7) ? bytes : mutatedBytes(bytes, random)).toString('base64')
}
