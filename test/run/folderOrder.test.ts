import { expect, test } from '@jest/globals'
import {
  documentedOrder,
  folderImports,
  foldersOfSrc,
  importsBetweenFolders,
  upwardImports,
} from './folderOrder.ts'

test('no import between the folders of src runs back up the order of docs/architecture.md', () => {
  expect(upwardImports(documentedOrder(), importsBetweenFolders())).toEqual([])
})

test('the order names each folder of src once', () => {
  expect(documentedOrder().flat().toSorted()).toEqual(foldersOfSrc())
})

test('finds imports of types, of several lines and dynamic ones, and imports on one line of the order', () => {
  const source = `import type { A } from '../low/a.ts'
import {
  b,
} from '../high/b.ts'
import '../next/effect.ts'
export { own } from './own.ts'
import { z } from 'zod'
const later = await import('../top/later.ts')
`
  const imports = folderImports('src/next/file.ts', source)
  expect(imports.map(({ to }) => to)).toEqual(['low', 'high', 'top'])
  const order = [['top'], ['high', 'next'], ['low']]
  expect(upwardImports(order, imports)).toEqual([
    'src/next/file.ts > src/high/b.ts',
    'src/next/file.ts > src/top/later.ts',
  ])
  expect(upwardImports(order, folderImports('src/low/file.ts', `import '../next/effect.ts'`))).toEqual([
    'src/low/file.ts > src/next/effect.ts',
  ])
})
