import { runProcess } from '../../src/platform/process.ts'
import { startVerification } from './startVerification.ts'

// npm run verification: identity checks, on a host of their own. The only process that reads personal data.

await runProcess('verification', startVerification)
