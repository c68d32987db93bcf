// Bundles the tests (they are TypeScript) and hands them to Node's own runner.
import { build } from 'esbuild'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'lineal-page-'))
const tests = readdirSync(here).filter((file) => file.endsWith('.test.ts'))
await build({
  entryPoints: tests.map((file) => join(here, file)),
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'warning',
})
const files = tests.map((file) => join(folder, file.replace('.ts', '.mjs')))
const told = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' })
rmSync(folder, { recursive: true })
process.exit(told.status ?? 1)
