/** The virtual machine of Solana's programs, version 0: instructions, and the file that the loader takes. */

/** Operation codes (solana-labs/rbpf, `ebpf.rs`). */
export const op = {
  lddw: 0x18,
  ldxb: 0x71,
  ldxh: 0x69,
  ldxdw: 0x79,
  stxb: 0x73,
  stxdw: 0x7b,
  movImmediate: 0xb7,
  mov: 0xbf,
  addImmediate: 0x07,
  add: 0x0f,
  subtract: 0x1f,
  multiply: 0x2f,
  multiplyImmediate: 0x27,
  divide: 0x3f,
  divideImmediate: 0x37,
  andImmediate: 0x57,
  jump: 0x05,
  jumpIfEqual: 0x1d,
  jumpIfEqualImmediate: 0x15,
  jumpIfLess: 0xad,
  jumpUnlessImmediate: 0x55,
  call: 0x85,
  exit: 0x95,
}

export type Instruction = readonly [code: number, to: number, from: number, offset: number, immediate: bigint]

/** The start of a program's heap (Solana docs, "Limitations": memory map). Zeroed, and not shared. */
export const heap = 0x3_0000_0000n
export const metas = heap + 0x100n
export const infos = heap + 0x1000n

/** Sizes in the C interface of programs (the SDK's `sol/cpi.h` and `sol/entrypoint.h`). */
export const metaSize = 16
export const infoSize = 56
/** Space to grow that the loader leaves behind each account's data (`MAX_PERMITTED_DATA_INCREASE`). */
export const growth = 10_240
/** The loader's first byte of an account that does not repeat an earlier one. */
export const notRepeated = 0xff

/**
 * The smallest shared object that the loader accepts: text, dynamic symbols with the one syscall
 * `sol_invoke_signed_c`, and its relocations.
 */
export function elf(instructions: readonly Instruction[]): Uint8Array {
  const text = Buffer.alloc(instructions.length * 8)
  instructions.forEach(([code, to, from, offset, immediate], i) => {
    text.writeUInt8(code, i * 8)
    text.writeUInt8(to | (from << 4), i * 8 + 1)
    text.writeInt16LE(offset, i * 8 + 2)
    text.writeUInt32LE(Number(BigInt.asUintN(32, immediate)), i * 8 + 4)
  })
  const headerSize = 64
  const words = (...values: readonly (number | bigint)[]) =>
    Buffer.concat(values.map((value) => word(BigInt(value))))
  const strings = (names: readonly string[]) =>
    Buffer.from(`\0${names.map((name) => `${name}\0`).join('')}`.padEnd(64, '\0'))
  const sectionNames = ['.text', '.dynsym', '.dynstr', '.rel.dyn', '.dynamic', '.shstrtab']
  const calls = instructions.flatMap(([code], i) => (code === op.call ? [headerSize + 8 * i] : []))

  const dynsymAt = headerSize + text.length
  const dynsym = words(0, 0, 0, 1n | (0x10n << 32n), 0, 0)
  const dynstrAt = dynsymAt + dynsym.length
  const dynstr = strings(['sol_invoke_signed_c'])
  const relocationsAt = dynstrAt + dynstr.length
  const syscallRelocation = 10n
  const relocations = words(...calls.flatMap((call) => [call, (1n << 32n) | syscallRelocation]))
  const dynamicAt = relocationsAt + relocations.length
  const tag = {
    end: 0,
    strings: 5,
    symbols: 6,
    stringsSize: 10,
    symbolSize: 11,
    relocations: 17,
    relocationsSize: 18,
    relocationSize: 19,
  }
  const dynamic = words(
    ...[tag.relocations, relocationsAt, tag.relocationsSize, relocations.length, tag.relocationSize, 16],
    ...[
      tag.symbols,
      dynsymAt,
      tag.symbolSize,
      24,
      tag.strings,
      dynstrAt,
      tag.stringsSize,
      dynstr.length,
      tag.end,
      0,
    ],
  )
  const namesAt = dynamicAt + dynamic.length
  const names = strings(sectionNames)
  const sectionsAt = namesAt + names.length

  const nameOffset = (name: string) => names.indexOf(`\0${name}\0`) + 1
  const section = (
    name: string,
    type: number,
    flags: number,
    at: number,
    size: number,
    link: number,
    info: number,
    entry: number,
  ) =>
    words(
      BigInt(nameOffset(name)) | (BigInt(type) << 32n),
      flags,
      at,
      at,
      size,
      BigInt(link) | (BigInt(info) << 32n),
      8,
      entry,
    )
  const sections = Buffer.concat([
    Buffer.alloc(headerSize),
    section('.text', 1, 6, headerSize, text.length, 0, 0, 0),
    section('.dynsym', 11, 2, dynsymAt, dynsym.length, 3, 1, 24),
    section('.dynstr', 3, 2, dynstrAt, dynstr.length, 0, 0, 0),
    section('.rel.dyn', 9, 2, relocationsAt, relocations.length, 2, 0, 16),
    section('.dynamic', 6, 2, dynamicAt, dynamic.length, 3, 0, 16),
    section('.shstrtab', 3, 0, namesAt, names.length, 0, 0, 0),
  ])
  const header = Buffer.alloc(headerSize)
  header.write('7f454c46020101', 'hex')
  const [sharedObject, bpf] = [3, 247]
  header.writeUInt16LE(sharedObject, 16)
  header.writeUInt16LE(bpf, 18)
  header.writeUInt32LE(1, 20)
  header.writeBigUInt64LE(BigInt(headerSize), 24)
  header.writeBigUInt64LE(BigInt(sectionsAt), 40)
  header.writeUInt16LE(headerSize, 52)
  header.writeUInt16LE(56, 54)
  header.writeUInt16LE(headerSize, 58)
  header.writeUInt16LE(sectionNames.length + 1, 60)
  header.writeUInt16LE(sectionNames.length, 62)
  return Buffer.concat([header, text, dynsym, dynstr, relocations, dynamic, names, sections])
}

function word(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value))
  return bytes
}
