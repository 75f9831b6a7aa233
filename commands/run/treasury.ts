import { runProcess } from '../../src/platform/process.ts'
import { startTreasury } from '../../treasury/startTreasury.ts'
import { program } from '../program.ts'

export const run = program('run treasury', () => runProcess('treasury', startTreasury))
