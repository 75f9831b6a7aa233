import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { stringify } from 'yaml'
import { bundleContract } from '../scripts/contracts/bundle.ts'

const home = mkdtempSync(join(tmpdir(), 'cowry-bundle-'))
afterAll(() => rmSync(home, { recursive: true }))

const operation = (operationId: string, more = {}) => ({ get: { operationId, ...more } })

/** The operations of a contract of these files, with their marks. */
function bundled(files: Record<string, object>) {
  const folder = mkdtempSync(join(home, 'files-'))
  const all = {
    'root.yaml': { openapi: '3.1.0', servers: [{ url: '/api' }], security: [{ key: [] }] },
    'dashboard/root.yaml': { servers: [{ url: '/own' }], security: [{ cookie: [] }], info: {} },
    ...files,
  }
  for (const [name, content] of Object.entries(all)) {
    const file = join(folder, 'api/openapi', name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, stringify(content))
  }
  return bundleContract(folder).paths
}

test("a file's audience is that of its operations, except those that name their own", () => {
  const shared = ['programs', 'dashboard']
  expect(
    bundled({
      'a.yaml': { paths: { '/a': operation('a'), '/b': operation('b', { 'x-audience': shared }) } },
      'c.yaml': {
        'x-audience': shared,
        paths: { '/c': operation('c'), '/d': operation('d', { 'x-audience': ['programs'] }) },
      },
      'dashboard/e.yaml': { paths: { '/e': operation('e'), '/f': operation('f', { security: [] }) } },
    }),
  ).toEqual({
    '/a': operation('a'),
    '/b': operation('b', { 'x-audience': shared }),
    '/c': operation('c', { 'x-audience': shared }),
    '/d': operation('d', { 'x-audience': ['programs'] }),
    '/e': {
      servers: [{ url: '/own' }],
      ...operation('e', { security: [{ cookie: [] }], 'x-audience': ['dashboard'] }),
    },
    '/f': { servers: [{ url: '/own' }], ...operation('f', { security: [], 'x-audience': ['dashboard'] }) },
  })
})

test.each([
  [
    'a component with two meanings',
    {
      'a.yaml': { components: { schemas: { A: {} } } },
      'dashboard/a.yaml': { components: { schemas: { A: {} } } },
    },
    'two files of a contract have components/schemas/A',
  ],
  [
    'a path of programs and of the dashboard',
    {
      'a.yaml': { paths: { '/a': operation('a') } },
      'dashboard/a.yaml': { paths: { '/a': operation('b') } },
    },
    'two files of a contract have paths//a',
  ],
  [
    'an unknown audience',
    { 'a.yaml': { paths: { '/a': operation('a', { 'x-audience': ['programs', 'dashbord'] }) } } },
    'a: x-audience cannot be dashbord',
  ],
  [
    "an operation of the dashboard's alone among those of programs",
    { 'a.yaml': { 'x-audience': ['dashboard'], paths: { '/a': operation('a') } } },
    'a belongs in api/openapi/dashboard',
  ],
  [
    "a mark in the dashboard's folder",
    { 'dashboard/a.yaml': { paths: { '/a': operation('a', { 'x-audience': ['programs'] }) } } },
    "a is the dashboard's by its folder",
  ],
])('%s is refused', (_what, files, message) => {
  expect(() => bundled(files as Record<string, object>)).toThrow(message)
})
