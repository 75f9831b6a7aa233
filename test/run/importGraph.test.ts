import { expect, test } from '@jest/globals'
import { importGraph, importsOf } from './importGraph.ts'

test('finds imports that run, and not types', () => {
  const source = `import a from 'a'
import type { B } from 'b'
import { type C, c } from './c.ts'
import './d.ts'
import {
  e,
} from "@e/e/part"
export { f } from './f.ts'
export type { G } from './g.ts'
export * from './h.ts'
export const text = "import x from 'y'"
const later = await import('./i.ts')
`
  expect(importsOf(source)).toEqual(['a', './c.ts', './d.ts', '@e/e/part', './f.ts', './h.ts'])
})

test('the graph of a file contains all that it reaches', () => {
  const { files, packages } = importGraph('src/chains/evm/keyDeriver.ts')
  expect(files).toEqual(expect.arrayContaining(['src/chains/evm/keyDeriver.ts', 'src/chains/bip32.ts']))
  expect(packages.get('@scure/bip32')).toEqual(['src/chains/bip32.ts'])
})
