import { startVerification } from '../../api/verification/startVerification.ts'
import { runProcess } from '../../src/platform/process.ts'
import { program } from '../program.ts'

export const run = program('run verification', () => runProcess('verification', startVerification))
