import { expect, test } from '@jest/globals'
import { createReplicaProgress } from './replicaProgress.ts'

test('what was committed before the last position that the replica has reached is in it', () => {
  const progress = createReplicaProgress()
  expect(progress.replayedUntil()).toBe(Number.NEGATIVE_INFINITY)
  progress.primaryAt(1000, 50n)
  progress.replicaAt(49n)
  expect(progress.replayedUntil()).toBe(Number.NEGATIVE_INFINITY)
  progress.primaryAt(1250, 70n)
  progress.replicaAt(69n)
  expect(progress.replayedUntil()).toBe(1000)
  progress.replicaAt(70n)
  expect(progress.replayedUntil()).toBe(1250)
})

test('a primary without writes does not make a replica late', () => {
  const progress = createReplicaProgress()
  for (const at of [1000, 2000, 3000]) {
    progress.primaryAt(at, 50n)
    progress.replicaAt(50n)
  }
  expect(progress.replayedUntil()).toBe(3000)
})

test('a replica that stands still keeps its time, and one that was lost has no time', () => {
  const progress = createReplicaProgress()
  progress.primaryAt(1000, 50n)
  progress.replicaAt(50n)
  for (let at = 2000; at <= 3_000_000; at += 1000) {
    progress.primaryAt(at, BigInt(at))
    progress.replicaAt(50n)
  }
  expect(progress.replayedUntil()).toBe(1000)
  // Of the last twenty minutes each position is known.
  progress.replicaAt(2_500_500n)
  expect(progress.replayedUntil()).toBe(2_500_000)
  progress.lose()
  expect(progress.replayedUntil()).toBe(Number.NEGATIVE_INFINITY)
})
