/** Native ESM; TypeScript by swc. Servers start once, in globalSetup; each suite takes what is its own from them. */
export default {
  testEnvironment: 'node',
  roots: [
    '<rootDir>/api',
    '<rootDir>/client',
    '<rootDir>/indexers',
    '<rootDir>/queues',
    '<rootDir>/src',
    '<rootDir>/test',
    '<rootDir>/migrations',
    '<rootDir>/web/src',
  ],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' }],
  },
  globalSetup: '<rootDir>/test/support/globalSetup.ts',
  globalTeardown: '<rootDir>/test/support/globalTeardown.ts',
  maxWorkers: 2,
  workerIdleMemoryLimit: '1GB',
  testTimeout: 180_000,
}
