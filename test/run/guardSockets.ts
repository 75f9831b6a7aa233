import { guardSockets } from './socketGuard.ts'

guardSockets()
