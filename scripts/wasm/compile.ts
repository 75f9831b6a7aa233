import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where each module is kept, and its source in `wasm/`. */
const entries: Record<string, string> = {
  'src/chains/evm/read/receipts.wasm': 'receipts.ts',
  'src/chains/solana/read/block.wasm': 'solanaBlock.ts',
}

const sources = join(import.meta.dirname, '../../wasm')

/** The modules of WebAssembly, compiled. The same source and compiler give the same bytes. */
export function compiledModules(): Record<string, Buffer> {
  const scratch = mkdtempSync(join(tmpdir(), 'cowry-wasm-'))
  try {
    return Object.fromEntries(
      Object.entries(entries).map(([kept, source]) => {
        const output = join(scratch, source.replace('.ts', '.wasm'))
        const options = [
          '-O3',
          '--noAssert',
          '--runtime',
          'stub',
          '--enable',
          'simd',
          '--use',
          'abort=',
          '--outFile',
          output,
        ]
        execFileSync(
          process.execPath,
          [join(import.meta.dirname, 'node_modules/assemblyscript/bin/asc.js'), source, ...options],
          {
            cwd: sources,
            stdio: ['ignore', 'ignore', 'inherit'],
          },
        )
        return [kept, readFileSync(output)]
      }),
    )
  } finally {
    rmSync(scratch, { recursive: true })
  }
}
