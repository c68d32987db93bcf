// Bundles the page into the folder given: hashed names, gzip beside each file, the licences of what is bundled.
import { build } from 'esbuild'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const here = dirname(fileURLToPath(import.meta.url))
const target = process.argv[2] ?? join(here, '..', 'lineal_receiver', 'static')
const assets = join(target, 'assets')

const options = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  metafile: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'linked',
  entryNames: '[name]-[hash]',
  outdir: assets,
  logLevel: 'warning',
}

function madeFrom(result, source) {
  for (const [path, output] of Object.entries(result.metafile.outputs)) {
    if (output.entryPoint === source) return { script: basename(path), style: output.cssBundle && basename(output.cssBundle) }
  }
  throw new Error(`esbuild made nothing from ${source}`)
}

function writeNotice(results) {
  const packages = new Set()
  for (const result of results) {
    for (const input of Object.keys(result.metafile.inputs)) {
      const found = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)
      if (found) packages.add(found[1])
    }
  }
  const parts = [...packages].sort().map((name) => {
    const folder = join(here, 'node_modules', name)
    const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const licence = readdirSync(folder).find((file) => /^(licen[cs]e|copying)/i.test(file))
    if (!licence) throw new Error(`${name} has no licence file`)
    return `${name} ${about.version} (${about.license})\n\n${readFileSync(join(folder, licence), 'utf8').trim()}\n`
  })
  writeFileSync(join(target, 'NOTICE.txt'), `The page holds code of these packages.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`)
}

rmSync(target, { recursive: true, force: true })
mkdirSync(assets, { recursive: true })
const worker = await build({ ...options, entryPoints: ['src/layout/worker.ts'] })
const { script: layout } = madeFrom(worker, 'src/layout/worker.ts')
const page = await build({ ...options, entryPoints: ['src/main.tsx'], define: { LAYOUT_WORKER: JSON.stringify(`assets/${layout}`) } })
const { script, style } = madeFrom(page, 'src/main.tsx')

const icon = readFileSync(join(here, 'icon.svg'))
const iconName = `icon-${createHash('sha256').update(icon).digest('hex').slice(0, 8).toUpperCase()}.svg`
writeFileSync(join(assets, iconName), icon)
const html = readFileSync(join(here, 'index.html'), 'utf8')
writeFileSync(
  join(target, 'index.html'),
  html.replace('SCRIPT', `assets/${script}`).replace('STYLE', `assets/${style}`).replace('ICON', `assets/${iconName}`),
)
writeNotice([worker, page])
for (const file of readdirSync(assets)) {
  const zipped = gzipSync(readFileSync(join(assets, file)), { level: 9 })
  writeFileSync(join(assets, `${file}.gz`), zipped)
}
if (!existsSync(join(assets, script))) throw new Error('the page has no script')
