import { availableParallelism } from 'node:os'
import { mapSharedPackages } from './test/run/sharedPackages.ts'

// Native ESM; TypeScript by swc. docs/testing.md describes the two kinds of suites.
const ofBoth = {
  testEnvironment: '<rootDir>/test/run/environment.mjs',
  moduleNameMapper: mapSharedPackages(),
  roots: [
    'api',
    'bench',
    'client',
    'commands',
    'indexers',
    'queues',
    'src',
    'test',
    'migrations',
    'web/src',
  ].map((folder) => `<rootDir>/${folder}`),
  cacheDirectory: '<rootDir>/node_modules/.cache/cowry/jest',
  extensionsToTreatAsEsm: ['.ts'],
  testRunner: '<rootDir>/test/run/timedRunner.ts',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2024', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
}

export default {
  projects: [
    {
      ...ofBoth,
      displayName: 'unit',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.integration\\.test\\.ts$'],
      setupFiles: ['<rootDir>/test/run/guardSockets.ts'],
    },
    {
      ...ofBoth,
      displayName: 'integration',
      testMatch: ['**/*.integration.test.ts'],
      setupFiles: ['<rootDir>/test/run/allowSockets.ts'],
      globalSetup: '<rootDir>/test/support/globalSetup.ts',
      globalTeardown: '<rootDir>/test/support/globalTeardown.ts',
    },
  ],
  reporters: ['default', '<rootDir>/test/run/timesReporter.ts'],
  testSequencer: '<rootDir>/test/run/suiteOrder.ts',
  // Suites also wait: one worker more than processors.
  maxWorkers: process.env.JEST_MAX_WORKERS ?? availableParallelism() + 1,
  workerIdleMemoryLimit: '1GB',
  testTimeout: 180_000,
}
