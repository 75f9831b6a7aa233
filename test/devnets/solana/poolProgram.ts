import { PublicKey } from '@solana/web3.js'
import {
  assemble,
  both,
  by,
  jump,
  jumpIf,
  jumpOn,
  type Line,
  label,
  load,
  loadByte,
  loadHalf,
  move,
  plus,
  set,
  store,
  storeByte,
} from './assemble.ts'
import { elf, growth, heap, infoSize, infos, metaSize, metas, notRepeated, op } from './sbpf.ts'

/** Jupiter's aggregator (dev.jup.ag, "Program addresses"). */
export const jupiterProgram = new PublicKey('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4')
const authorityName = 'authority'
/** Owns what the pools hold. */
export const [poolAuthority, authorityBump] = PublicKey.findProgramAddressSync(
  [Buffer.from(authorityName), Uint8Array.of(0)],
  jupiterProgram,
)

/**
 * A pool in Jupiter's interface (`route_v2`, `shared_accounts_route_v2` of its IDL): sells at the price in a
 * pool's account, fails with Jupiter's own error if that is less than the minimum, and sends SOL itself to an
 * account without data. Accounts and data after its own are one more instruction, which it runs with the
 * caller's signature, as a venue of a real route could.
 */
export const poolProgram = (): Uint8Array => elf(assemble(lines()))

/** A pool's account: it buys `numerator / denominator` of one token for one of the other, in base units. */
export function poolState(numerator: bigint, denominator: bigint): Uint8Array {
  const data = Buffer.alloc(16)
  data.writeBigUInt64LE(numerator, 0)
  data.writeBigUInt64LE(denominator, 8)
  return Uint8Array.from(data)
}

/** `SlippageToleranceExceeded` of its IDL. */
const slippageExceeded = 6001

/** Places of the accounts of an instruction, and how much later its arguments start. */
interface Layout {
  name: string
  shift: number
  user: number
  source: number
  /** The later one is an alternative: the program itself means that it is absent. */
  destinations: readonly number[]
  sourceProgram: number
  destinationProgram: number
  vaultIn: number
  vaultOut: number
  authority: number
  pool: number
  count: number
}

const routeV2: Layout = {
  ...{
    name: 'route',
    shift: 0,
    user: 0,
    source: 1,
    destinations: [2, 7],
    sourceProgram: 5,
    destinationProgram: 6,
  },
  ...{ vaultIn: 10, vaultOut: 11, authority: 12, pool: 13, count: 14 },
}
const sharedV2: Layout = {
  ...{
    name: 'shared',
    shift: 1,
    authority: 0,
    user: 1,
    source: 2,
    vaultIn: 3,
    vaultOut: 4,
    destinations: [5],
  },
  ...{ sourceProgram: 8, destinationProgram: 9, pool: 12, count: 13 },
}

export const pointers = heap + 0x800n
const scratch = heap + 0x3000n
/** Places in the scratch memory. */
const at = {
  sold: 0,
  bought: 8,
  destination: 16,
  metas: 0x100,
  data: 0x200,
  instruction: 0x300,
  seeds: 0x400,
  seed: 0x420,
  text: 0x440,
}
const sharedDiscriminator = 0xd1

/** In the serialized input of a program (Solana docs, "Program input"). */
export const offset = {
  signer: 1,
  writable: 2,
  executable: 3,
  key: 8,
  owner: 40,
  lamports: 72,
  length: 80,
  data: 88,
}
const transferTag = 3

const account = (register: number, index: number): Line[] => [
  set(register, pointers),
  load(register, register, 8 * index),
]

/**
 * Registers: 6 walks through the input, 7 counts the accounts; 8, 9 and 1 walk through metas, infos and
 * pointers, 5 counts.
 */
export function readAccounts(): Line[] {
  const pointer = (from: number, to: number): Line[] => [move(3, 6), plus(3, from), store(9, to, 3)]
  const copied = (size: number, to: number): Line[] =>
    Array.from({ length: size / 8 }, (_, i): Line[] => [load(4, 3, 8 * i), store(to, 8 * i, 4)]).flat()
  return [
    load(7, 1, 0),
    move(6, 1),
    plus(6, 8),
    set(8, metas),
    set(9, infos),
    set(1, pointers),
    by(op.movImmediate, 5, 0),
    label('next'),
    jumpIf(op.jumpIfEqual, 5, 7, 'read'),
    loadByte(2, 6, 0),
    jumpOn(op.jumpUnlessImmediate, 2, notRepeated, 'repeated'),
    store(1, 0, 6),
    ...pointer(offset.key, 0),
    store(8, 0, 3),
    ...[loadByte(2, 6, offset.writable), storeByte(8, 8, 2), storeByte(9, 49, 2)],
    ...[loadByte(2, 6, offset.signer), storeByte(8, 9, 2), storeByte(9, 48, 2)],
    ...[loadByte(2, 6, offset.executable), storeByte(9, 50, 2)],
    ...pointer(offset.lamports, 8),
    ...[load(4, 6, offset.length), store(9, 16, 4)],
    ...pointer(offset.data, 24),
    ...pointer(offset.owner, 32),
    ...[plus(6, offset.data + growth + 7), both(op.add, 6, 4), by(op.andImmediate, 6, -8)],
    ...[load(2, 6, 0), store(9, 40, 2), plus(6, 8)],
    jump('advance'),
    label('repeated'),
    ...[
      move(0, 2),
      by(op.multiplyImmediate, 0, 8),
      set(3, pointers),
      both(op.add, 3, 0),
      load(4, 3, 0),
      store(1, 0, 4),
    ],
    ...[
      move(0, 2),
      by(op.multiplyImmediate, 0, metaSize),
      set(3, metas),
      both(op.add, 3, 0),
      ...copied(metaSize, 8),
    ],
    ...[
      move(0, 2),
      by(op.multiplyImmediate, 0, infoSize),
      set(3, infos),
      both(op.add, 3, 0),
      ...copied(infoSize, 9),
    ],
    plus(6, 8),
    label('advance'),
    ...[plus(8, metaSize), plus(9, infoSize), plus(1, 8), plus(5, 1)],
    jump('next'),
    label('read'),
    // From here on 6 points to the instruction's data, whose length is before it.
    plus(6, 8),
    set(9, scratch),
  ]
}

/** Both amounts, and where the bought one goes. */
function price({ name, shift, pool, destinations }: Layout): Line[] {
  const [first = 0, other] = destinations
  return [
    ...[load(2, 6, 8 + shift), load(3, 6, 16 + shift), loadHalf(4, 6, 24 + shift)],
    ...account(1, pool),
    ...[load(5, 1, offset.data), load(0, 1, offset.data + 8), both(op.multiply, 5, 2), both(op.divide, 5, 0)],
    ...[
      by(op.movImmediate, 0, 10_000),
      both(op.subtract, 0, 4),
      both(op.multiply, 3, 0),
      by(op.divideImmediate, 3, 10_000),
    ],
    jumpIf(op.jumpIfLess, 5, 3, 'tooLittle'),
    ...[store(9, at.sold, 2), store(9, at.bought, 5)],
    ...account(1, first),
    ...(other === undefined
      ? []
      : [
          ...account(2, other),
          loadByte(3, 2, offset.executable),
          jumpOn(op.jumpUnlessImmediate, 3, 0, `${name} chosen`),
          move(1, 2),
        ]),
    label(`${name} chosen`),
    store(9, at.destination, 1),
  ]
}

/** Runs the instruction in the scratch memory. @param signed with the authority's seeds */
const invoke = (signed: boolean): Line[] => [
  ...[move(1, 9), plus(1, at.instruction), set(2, infos), move(3, 7)],
  ...(signed
    ? [move(4, 9), plus(4, at.seeds), by(op.movImmediate, 5, 1)]
    : [by(op.movImmediate, 4, 0), by(op.movImmediate, 5, 0)]),
  [[op.call, 0, 0, 0, -1n]],
]

/** An account, whose pointer is in register 1, as one of the instruction's. */
const meta = (place: number, writable: number, signer: number): Line[] => [
  ...[plus(1, offset.key), store(9, at.metas + place * metaSize, 1)],
  ...[by(op.movImmediate, 2, writable), storeByte(9, at.metas + place * metaSize + 8, 2)],
  ...[by(op.movImmediate, 2, signer), storeByte(9, at.metas + place * metaSize + 9, 2)],
]

const transfer = (program: number, from: Line[], to: Line[], authority: number, amountAt: number): Line[] => [
  ...[...from, ...meta(0, 1, 0), ...to, ...meta(1, 1, 0), ...account(1, authority), ...meta(2, 0, 1)],
  ...[
    by(op.movImmediate, 2, transferTag),
    storeByte(9, at.data, 2),
    load(2, 9, amountAt),
    store(9, at.data + 1, 2),
  ],
  ...[...account(1, program), plus(1, offset.key), store(9, at.instruction, 1)],
  ...[
    move(1, 9),
    plus(1, at.metas),
    store(9, at.instruction + 8, 1),
    by(op.movImmediate, 1, 3),
    store(9, at.instruction + 16, 1),
  ],
  ...[
    move(1, 9),
    plus(1, at.data),
    store(9, at.instruction + 24, 1),
    by(op.movImmediate, 1, 9),
    store(9, at.instruction + 32, 1),
  ],
]

function seeds(): Line[] {
  const text = Buffer.from([...Buffer.from(authorityName), 0, authorityBump])
  return [
    ...[...text].flatMap((byte, i): Line[] => [by(op.movImmediate, 2, byte), storeByte(9, at.text + i, 2)]),
    ...[
      move(1, 9),
      plus(1, at.text),
      store(9, at.seed, 1),
      by(op.movImmediate, 1, text.length),
      store(9, at.seed + 8, 1),
    ],
    ...[
      move(1, 9),
      plus(1, at.seed),
      store(9, at.seeds, 1),
      by(op.movImmediate, 1, 1),
      store(9, at.seeds + 8, 1),
    ],
  ]
}

function swap(layout: Layout): Line[] {
  const {
    name,
    shift,
    user,
    source,
    sourceProgram,
    destinationProgram,
    vaultIn,
    vaultOut,
    authority,
    pool,
    count,
  } = layout
  return [
    label(name),
    ...price(layout),
    ...transfer(sourceProgram, account(1, source), account(1, vaultIn), user, at.sold),
    ...invoke(false),
    ...[
      load(1, 9, at.destination),
      load(2, 1, offset.length),
      jumpOn(op.jumpUnlessImmediate, 2, 0, `${name} token`),
    ],
    // SOL itself: out of the pool's own account.
    ...[load(2, 9, at.bought), load(3, 1, offset.lamports), both(op.add, 3, 2), store(1, offset.lamports, 3)],
    ...[
      ...account(1, pool),
      load(3, 1, offset.lamports),
      both(op.subtract, 3, 2),
      store(1, offset.lamports, 3),
    ],
    jump(`${name} more`),
    label(`${name} token`),
    ...transfer(destinationProgram, account(1, vaultOut), [load(1, 9, at.destination)], authority, at.bought),
    ...[...seeds(), ...invoke(true)],
    label(`${name} more`),
    jumpOn(op.jumpIfEqualImmediate, 7, count, 'done'),
    // The last account is the program of one more instruction, those between are its accounts.
    ...[
      move(2, 7),
      plus(2, -1),
      by(op.multiplyImmediate, 2, 8),
      set(1, pointers),
      both(op.add, 1, 2),
      load(1, 1, 0),
    ],
    ...[
      plus(1, offset.key),
      store(9, at.instruction, 1),
      set(1, metas + BigInt(count * metaSize)),
      store(9, at.instruction + 8, 1),
    ],
    ...[move(1, 7), plus(1, -1 - count), store(9, at.instruction + 16, 1), move(1, 6), plus(1, 34 + shift)],
    ...[
      store(9, at.instruction + 24, 1),
      load(2, 6, -8),
      plus(2, -34 - shift),
      store(9, at.instruction + 32, 2),
    ],
    ...invoke(false),
    jump('done'),
  ]
}

const lines = (): Line[] => [
  ...readAccounts(),
  ...[loadByte(2, 6, 0), jumpOn(op.jumpIfEqualImmediate, 2, sharedDiscriminator, 'shared')],
  ...swap(routeV2),
  ...swap(sharedV2),
  label('done'),
  ...[by(op.movImmediate, 0, 0), [[op.exit, 0, 0, 0, 0n]] as Line],
  label('tooLittle'),
  ...[by(op.movImmediate, 0, slippageExceeded), [[op.exit, 0, 0, 0, 0n]] as Line],
]
