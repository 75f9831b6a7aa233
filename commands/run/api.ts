import { runProcess } from '../src/platform/process.ts'
import { startApi } from './startApi.ts'

await runProcess('api', startApi)
