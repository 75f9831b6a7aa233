import { roundConstantsAt } from './keccak'

/**
 * Keccak-256 of many messages, two at a time: each takes one of the two 64-bit lanes of a vector, and the
 * next message follows where one ends. This takes half the time of one after the other.
 */

const rate: usize = 136

/** Both states, word by word. */
const states: usize = memory.data(400, 16)
const idle: usize = memory.data(136, 16)

/** Of each lane: the rest of its message, and where its hash goes; 0: none. */
const places: usize = memory.data(8, 8)
const rests: usize = memory.data(8, 8)
const targets: usize = memory.data(8, 8)
/** Of each lane its last block, padded. */
const lasts: usize = memory.data(272, 16)

/** @param list of each message its place, its length, and where its hash goes: four bytes each */
export function hashAll(list: usize, count: i32): void {
  let next = 0
  while (true) {
    for (let lane: usize = 0; lane < 2; lane++) {
      if (targetOf(lane) == 0 && next < count) {
        begin(lane, list + next * 12)
        next++
      }
    }
    if (targetOf(0) == 0 && targetOf(1) == 0) return
    const first = nextBlock(0)
    absorbPair(first, nextBlock(1))
    for (let lane: usize = 0; lane < 2; lane++) if (isLast(lane)) finish(lane)
  }
}

function targetOf(lane: usize): usize {
  return load<u32>(targets + lane * 4) as usize
}

function begin(lane: usize, message: usize): void {
  for (let word: usize = 0; word < 25; word++) store<u64>(states + word * 16 + lane * 8, 0)
  store<u32>(places + lane * 4, load<u32>(message))
  store<u32>(rests + lane * 4, load<u32>(message, 4))
  store<u32>(targets + lane * 4, load<u32>(message, 8))
}

/** Set by `nextBlock`: the lane's message ends with this block. */
const ends: usize = memory.data(2)

function isLast(lane: usize): bool {
  return load<u8>(ends + lane) != 0
}

function nextBlock(lane: usize): usize {
  store<u8>(ends + lane, 0)
  if (targetOf(lane) == 0) return idle
  const at = load<u32>(places + lane * 4) as usize
  const rest = load<u32>(rests + lane * 4) as usize
  if (rest >= rate) {
    store<u32>(places + lane * 4, (at + rate) as u32)
    store<u32>(rests + lane * 4, (rest - rate) as u32)
    return at
  }
  const last = lasts + lane * rate
  memory.fill(last, 0, rate)
  memory.copy(last, at, rest)
  store<u8>(last + rest, 1)
  store<u8>(last, load<u8>(last, 135) | 0x80, 135)
  store<u8>(ends + lane, 1)
  return last
}

function finish(lane: usize): void {
  const target = targetOf(lane)
  for (let word: usize = 0; word < 4; word++)
    store<u64>(target + word * 8, load<u64>(states + word * 16 + lane * 8))
  store<u32>(targets + lane * 4, 0)
}

function rotated(word: v128, by: i32): v128 {
  return v128.or(i64x2.shl(word, by), i64x2.shr_u(word, 64 - by))
}

function absorbPair(a: usize, b: usize): void {
  let a0 = v128.xor(v128.load(states, 0), v128.load64_lane(b, v128.load64_zero(a, 0), 1, 0))
  let a1 = v128.xor(v128.load(states, 16), v128.load64_lane(b, v128.load64_zero(a, 8), 1, 8))
  let a2 = v128.xor(v128.load(states, 32), v128.load64_lane(b, v128.load64_zero(a, 16), 1, 16))
  let a3 = v128.xor(v128.load(states, 48), v128.load64_lane(b, v128.load64_zero(a, 24), 1, 24))
  let a4 = v128.xor(v128.load(states, 64), v128.load64_lane(b, v128.load64_zero(a, 32), 1, 32))
  let a5 = v128.xor(v128.load(states, 80), v128.load64_lane(b, v128.load64_zero(a, 40), 1, 40))
  let a6 = v128.xor(v128.load(states, 96), v128.load64_lane(b, v128.load64_zero(a, 48), 1, 48))
  let a7 = v128.xor(v128.load(states, 112), v128.load64_lane(b, v128.load64_zero(a, 56), 1, 56))
  let a8 = v128.xor(v128.load(states, 128), v128.load64_lane(b, v128.load64_zero(a, 64), 1, 64))
  let a9 = v128.xor(v128.load(states, 144), v128.load64_lane(b, v128.load64_zero(a, 72), 1, 72))
  let a10 = v128.xor(v128.load(states, 160), v128.load64_lane(b, v128.load64_zero(a, 80), 1, 80))
  let a11 = v128.xor(v128.load(states, 176), v128.load64_lane(b, v128.load64_zero(a, 88), 1, 88))
  let a12 = v128.xor(v128.load(states, 192), v128.load64_lane(b, v128.load64_zero(a, 96), 1, 96))
  let a13 = v128.xor(v128.load(states, 208), v128.load64_lane(b, v128.load64_zero(a, 104), 1, 104))
  let a14 = v128.xor(v128.load(states, 224), v128.load64_lane(b, v128.load64_zero(a, 112), 1, 112))
  let a15 = v128.xor(v128.load(states, 240), v128.load64_lane(b, v128.load64_zero(a, 120), 1, 120))
  let a16 = v128.xor(v128.load(states, 256), v128.load64_lane(b, v128.load64_zero(a, 128), 1, 128))
  let a17 = v128.load(states, 272)
  let a18 = v128.load(states, 288)
  let a19 = v128.load(states, 304)
  let a20 = v128.load(states, 320)
  let a21 = v128.load(states, 336)
  let a22 = v128.load(states, 352)
  let a23 = v128.load(states, 368)
  let a24 = v128.load(states, 384)
  for (let round: usize = 0; round < 192; round += 8) {
    const c0 = v128.xor(v128.xor(v128.xor(v128.xor(a0, a5), a10), a15), a20)
    const c1 = v128.xor(v128.xor(v128.xor(v128.xor(a1, a6), a11), a16), a21)
    const c2 = v128.xor(v128.xor(v128.xor(v128.xor(a2, a7), a12), a17), a22)
    const c3 = v128.xor(v128.xor(v128.xor(v128.xor(a3, a8), a13), a18), a23)
    const c4 = v128.xor(v128.xor(v128.xor(v128.xor(a4, a9), a14), a19), a24)
    const d0 = v128.xor(c4, rotated(c1, 1))
    const d1 = v128.xor(c0, rotated(c2, 1))
    const d2 = v128.xor(c1, rotated(c3, 1))
    const d3 = v128.xor(c2, rotated(c4, 1))
    const d4 = v128.xor(c3, rotated(c0, 1))
    const b0 = v128.xor(a0, d0)
    const b10 = rotated(v128.xor(a1, d1), 1)
    const b20 = rotated(v128.xor(a2, d2), 62)
    const b5 = rotated(v128.xor(a3, d3), 28)
    const b15 = rotated(v128.xor(a4, d4), 27)
    const b16 = rotated(v128.xor(a5, d0), 36)
    const b1 = rotated(v128.xor(a6, d1), 44)
    const b11 = rotated(v128.xor(a7, d2), 6)
    const b21 = rotated(v128.xor(a8, d3), 55)
    const b6 = rotated(v128.xor(a9, d4), 20)
    const b7 = rotated(v128.xor(a10, d0), 3)
    const b17 = rotated(v128.xor(a11, d1), 10)
    const b2 = rotated(v128.xor(a12, d2), 43)
    const b12 = rotated(v128.xor(a13, d3), 25)
    const b22 = rotated(v128.xor(a14, d4), 39)
    const b23 = rotated(v128.xor(a15, d0), 41)
    const b8 = rotated(v128.xor(a16, d1), 45)
    const b18 = rotated(v128.xor(a17, d2), 15)
    const b3 = rotated(v128.xor(a18, d3), 21)
    const b13 = i8x16.shuffle(
      v128.xor(a19, d4),
      v128.xor(a19, d4),
      7,
      0,
      1,
      2,
      3,
      4,
      5,
      6,
      15,
      8,
      9,
      10,
      11,
      12,
      13,
      14,
    )
    const b14 = rotated(v128.xor(a20, d0), 18)
    const b24 = rotated(v128.xor(a21, d1), 2)
    const b9 = rotated(v128.xor(a22, d2), 61)
    const b19 = i8x16.shuffle(
      v128.xor(a23, d3),
      v128.xor(a23, d3),
      1,
      2,
      3,
      4,
      5,
      6,
      7,
      0,
      9,
      10,
      11,
      12,
      13,
      14,
      15,
      8,
    )
    const b4 = rotated(v128.xor(a24, d4), 14)
    a0 = v128.xor(v128.xor(b0, v128.andnot(b2, b1)), v128.load64_splat(roundConstantsAt() + round))
    a1 = v128.xor(b1, v128.andnot(b3, b2))
    a2 = v128.xor(b2, v128.andnot(b4, b3))
    a3 = v128.xor(b3, v128.andnot(b0, b4))
    a4 = v128.xor(b4, v128.andnot(b1, b0))
    a5 = v128.xor(b5, v128.andnot(b7, b6))
    a6 = v128.xor(b6, v128.andnot(b8, b7))
    a7 = v128.xor(b7, v128.andnot(b9, b8))
    a8 = v128.xor(b8, v128.andnot(b5, b9))
    a9 = v128.xor(b9, v128.andnot(b6, b5))
    a10 = v128.xor(b10, v128.andnot(b12, b11))
    a11 = v128.xor(b11, v128.andnot(b13, b12))
    a12 = v128.xor(b12, v128.andnot(b14, b13))
    a13 = v128.xor(b13, v128.andnot(b10, b14))
    a14 = v128.xor(b14, v128.andnot(b11, b10))
    a15 = v128.xor(b15, v128.andnot(b17, b16))
    a16 = v128.xor(b16, v128.andnot(b18, b17))
    a17 = v128.xor(b17, v128.andnot(b19, b18))
    a18 = v128.xor(b18, v128.andnot(b15, b19))
    a19 = v128.xor(b19, v128.andnot(b16, b15))
    a20 = v128.xor(b20, v128.andnot(b22, b21))
    a21 = v128.xor(b21, v128.andnot(b23, b22))
    a22 = v128.xor(b22, v128.andnot(b24, b23))
    a23 = v128.xor(b23, v128.andnot(b20, b24))
    a24 = v128.xor(b24, v128.andnot(b21, b20))
  }
  v128.store(states, a0, 0)
  v128.store(states, a1, 16)
  v128.store(states, a2, 32)
  v128.store(states, a3, 48)
  v128.store(states, a4, 64)
  v128.store(states, a5, 80)
  v128.store(states, a6, 96)
  v128.store(states, a7, 112)
  v128.store(states, a8, 128)
  v128.store(states, a9, 144)
  v128.store(states, a10, 160)
  v128.store(states, a11, 176)
  v128.store(states, a12, 192)
  v128.store(states, a13, 208)
  v128.store(states, a14, 224)
  v128.store(states, a15, 240)
  v128.store(states, a16, 256)
  v128.store(states, a17, 272)
  v128.store(states, a18, 288)
  v128.store(states, a19, 304)
  v128.store(states, a20, 320)
  v128.store(states, a21, 336)
  v128.store(states, a22, 352)
  v128.store(states, a23, 368)
  v128.store(states, a24, 384)
}
