import { run } from './bootstrap.mjs'

// npm test            runs every suite
// npm test -- <args>  passes arguments to Jest
await run(
  ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'],
  process.argv.slice(2),
)
