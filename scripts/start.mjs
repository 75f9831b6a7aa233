import { run } from './bootstrap.mjs'

await run(['scripts/dev/start.ts'], process.argv.slice(2))
