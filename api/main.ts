import { runProcess } from '../src/platform/process.ts'
import { startApi } from './startApi.ts'

// npm run api: the HTTP API.

await runProcess('api', startApi)
