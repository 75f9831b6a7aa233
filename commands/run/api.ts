import { startApi } from '../../api/startApi.ts'
import { runProcess } from '../../src/platform/process.ts'
import { program } from '../program.ts'

export const run = program('run api', () => runProcess('api', startApi))
