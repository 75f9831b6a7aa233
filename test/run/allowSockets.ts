import { allowSockets } from './socketGuard.ts'

// A unit suite may have run in this worker before.
allowSockets()
