import { ensureInstalled } from './bootstrap.mjs'

// npm run setup: installs what the lock file names, and checks that it is what came.
await ensureInstalled()
