import { join } from 'node:path'
import { defineConfig } from 'vite'
import { docsPages } from './docs/plugin.ts'

// Always build for production: a test run's NODE_ENV would make a development build of twice the size.
process.env.NODE_ENV = 'production'

export default defineConfig({
  base: '/dashboard/',
  plugins: [docsPages()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy allows files of this origin only: no inline code and no data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // "use client" in libraries is for servers that render pages; there is none here.
      onwarn(warning, warn) {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
      input: {
        dashboard: join(import.meta.dirname, 'index.html'),
        checkout: join(import.meta.dirname, 'checkout.html'),
        till: join(import.meta.dirname, 'till.html'),
        docs: join(import.meta.dirname, 'docs.html'),
        reference: join(import.meta.dirname, 'reference.html'),
      },
    },
  },
})
