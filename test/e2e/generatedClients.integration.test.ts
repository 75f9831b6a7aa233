import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { full } from '../support/full.ts'
import { installedPackages } from '../support/installedPackages.ts'
import { createProject, type Project } from '../support/packedClient.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'

// Clients that others make of the contract, as the api serves it, with the generators that most use.

const inFull = full ? describe : describe.skip

inFull('a client that is generated from the served contract', () => {
  let stack: Stack
  let home: string
  let contract: string
  let url: string

  beforeAll(async () => {
    home = installedPackages('test/clients')
    stack = await createStack()
    url = `http://127.0.0.1:${stack.processes.get('api')?.port()}`
    contract = await (await fetch(`${url}/openapi.json`)).text()
  })
  afterAll(() => stack?.close())

  /** A project with a generator's client in `made`. */
  const generators: Record<string, (project: Project) => string[]> = {
    'openapi-fetch': () => ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'made/schema.ts'],
    'hey-api': () => [
      '@hey-api/openapi-ts/bin/run.js',
      ...['-i', './openapi.json', '-o', 'made', '--no-log-file'],
    ],
    orval: (project) => {
      const output = { target: './made/cowry.ts', client: 'fetch', baseUrl: `${url}/api/v1` }
      const config = { cowry: { input: './openapi.json', output } }
      project.write('orval.config.mjs', `export default ${JSON.stringify(config)}`)
      return ['orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs']
    },
  }

  const compilerOptions = {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
  }

  test.each(Object.keys(generators))('by %s compiles under strict, and takes a payment', async (name) => {
    const project = createProject(`generated-${name}`)
    try {
      project.write('openapi.json', contract)
      symlinkSync(join(home, 'node_modules'), join(project.folder, 'node_modules'))
      const [generator = '', ...args] = generators[name]?.(project) ?? []
      const made = await project.run(process.execPath, [join(home, 'node_modules', generator), ...args])
      expect([made.status, made.stderr]).toEqual([0, expect.not.stringMatching(/warn|error/i)])

      const source = join(import.meta.dirname, '../clients/generated')
      for (const file of [`${name}.ts`, 'surroundings.ts'])
        cpSync(join(source, file), join(project.folder, file))
      const config = { compilerOptions, files: [`${name}.ts`] }
      writeFileSync(join(project.folder, 'tsconfig.json'), JSON.stringify(config))
      const compiler = join(home, 'node_modules/typescript/bin/tsc')
      expect(await project.run(process.execPath, [compiler])).toMatchObject({ status: 0, stdout: '' })

      const bun = join(home, 'node_modules/bun/bin/bun.exe')
      const heard = async (text: string) => {
        await stack.pay(JSON.parse(text) as SessionBody)
        await stack.mine(20)
      }
      const paid = await project.run(bun, [`${name}.ts`, `${url}/api/v1`, stack.apiKey, `order-${name}`], {
        heard: (text) => void heard(text),
      })
      expect(paid).toMatchObject({ status: 0, stderr: '' })
      const { id } = JSON.parse(paid.stdout) as SessionBody
      expect(await stack.session(id)).toMatchObject({ status: 'paid', reference: `order-${name}` })
    } finally {
      project.remove()
    }
  })
})
