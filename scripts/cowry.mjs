#!/usr/bin/env node
// npx cowry: the same as npm run cowry --.

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    `This is Node ${process.versions.node}. Run npm run setup once, which installs Node 24.\n`,
  )
  process.exit(2)
}
await import('./preload.mjs')
await import('../commands/cowry.ts')
