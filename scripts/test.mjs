import { run } from './bootstrap.mjs'

// npm test            every suite
// npm test -- <args>  as Jest takes them
await run(['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'], process.argv.slice(2))
