import { ensureInstalled } from './bootstrap.mjs'

// npm run setup: installs the lock file's packages, and checks that they are the pinned ones.
await ensureInstalled()
