import { defineConfig } from 'vite'

// Whoever builds it gets the same files: a test run's NODE_ENV would make it a development build, twice the size.
process.env.NODE_ENV = 'production'

export default defineConfig({
  base: '/dashboard/',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy takes files of this origin only: nothing inline, nothing as data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
