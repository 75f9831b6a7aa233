import { expect, test } from '@jest/globals'
import { parseStat, sumTree } from './processTree.ts'

test('reads a stat with any program name', () => {
  const stat = '42 (a) S (x) S 7 42 42 0 -1 4194560 900 0 0 0 120 30 5 6 20 0 1 0 100 1 1'
  expect(parseStat(stat)).toEqual({ pid: 42, parent: 7, own: 1500, ended: 110 })
})

test('a tree is a process, its descendants, and ended ones among them', () => {
  const stats = [
    { pid: 1, parent: 0, own: 1000, ended: 500 },
    { pid: 7, parent: 1, own: 100, ended: 20 },
    { pid: 8, parent: 7, own: 3, ended: 4 },
    { pid: 9, parent: 8, own: 5, ended: 0 },
  ]
  expect(sumTree(7, stats)).toEqual({ own: 100, children: 32 })
  expect(sumTree(10, stats)).toEqual({ own: 0, children: 0 })
})
