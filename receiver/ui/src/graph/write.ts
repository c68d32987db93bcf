/** What is shown, written as SVG, Mermaid, JSON and CSV. Pure. */

import type { Places } from '../layout/layout'
import { curve } from './Lines'
import type { Model } from './model'
import type { EdgeRow } from './rows'
import { BOX, type Scene } from './scene'

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd')

export function writeSvg(scene: Scene, places: Places): string {
  const boxes = new Map(scene.boxes.map((box) => [box.id, box]))
  let [right, bottom] = [0, 0]
  const drawn = scene.boxes.flatMap((box) => {
    const place = places[box.id]
    if (!place) return []
    right = Math.max(right, place.x + BOX.width + 24)
    bottom = Math.max(bottom, place.y + box.height + 24)
    const rows = box.rows.map((row, at) => {
      const y = BOX.head + at * BOX.row + 17
      const reason = row.reason === null ? '' : `<title>${escape(row.reason)}</title>`
      return `<text x="12" y="${y}" font-weight="700" fill="#0b6b63">${escape(row.letter.letter)}</text><text x="32" y="${y}">${reason}${escape(clip(row.field, 26))}</text>`
    })
    return [
      `<g transform="translate(${place.x} ${place.y})"><rect width="${BOX.width}" height="${box.height}" rx="8" fill="#fff" stroke="#b9c0bf"/>` +
      `<text x="12" y="19" font-size="11" fill="#59636b">${escape(clip(box.path, 36))}</text><text x="12" y="38" font-weight="600">${escape(clip(box.title, 28))}</text>${rows.join('')}</g>`,
    ]
  })
  const lines = scene.lines.flatMap((line) => {
    const path = curve(line, boxes, places)
    const dash = line.edge && !line.edge.direct ? ' stroke-dasharray="2 4"' : ''
    return path === null ? [] : [`<path d="${path}" fill="none" stroke="${line.edge ? '#0b6b63' : '#b9c0bf'}" stroke-width="1.5"${dash}/>`]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${right}" height="${bottom}" viewBox="0 0 ${right} ${bottom}" font-family="system-ui, sans-serif" font-size="13" fill="#1d2528">${lines.join('')}${drawn.join('')}</svg>\n`
}

const clip = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

export function writeMermaid(scene: Scene): string {
  const names = new Map(scene.boxes.map((box, at) => [box.id, `n${at}`]))
  // What Mermaid or HTML would read is written by its number; a label can't be empty.
  const text = (words: string) => `"${(words || ' ').replace(/[^\p{L}\p{N} ._/:-]/gu, (sign) => `#${sign.codePointAt(0)};`)}"`
  const out = ['flowchart LR']
  for (const box of scene.boxes) {
    const id = names.get(box.id)
    const name = box.dataset?.name ?? box.job?.name ?? box.title
    if (box.rows.length === 0) {
      out.push(box.dataset ? `  ${id}[${text(name)}]` : `  ${id}([${text(name)}])`)
      continue
    }
    out.push(`  subgraph ${id}[${text(name)}]`)
    box.rows.forEach((row, at) => out.push(`    ${id}_${at}[${text(row.field)}]`))
    out.push('  end')
  }
  const end = (box: string, field: string | null) => {
    const at = field === null ? -1 : scene.boxes.find(({ id }) => id === box)?.rows.findIndex((row) => row.field === field) ?? -1
    return at < 0 ? names.get(box) : `${names.get(box)}_${at}`
  }
  for (const line of scene.lines) {
    out.push(`  ${end(line.from, line.fromField)} ${line.edge && !line.edge.direct ? '-.->' : '-->'} ${end(line.to, line.toField)}`)
  }
  return out.join('\n') + '\n'
}

export function writeJson(model: Model, scene: Scene, rows: EdgeRow[]): string {
  const shown = new Set(scene.boxes.map(({ id }) => id))
  const datasets = [...model.datasets.values()].filter(({ id }) => shown.has(id)).map(({ namespace, name, columns }) => ({
    namespace, name,
    columns: columns.map(({ name: column, type, status, reason }) => ({ name: column, type, status, reason })),
  }))
  return JSON.stringify({ datasets, edges: rows.map(({ reader: _, ...edge }) => edge) }, null, 2) + '\n'
}

const HEADINGS: Exclude<keyof EdgeRow, 'reader'>[] = [
  'sourceNamespace', 'source', 'sourceField', 'targetNamespace', 'target', 'targetField', 'kinds', 'expression', 'jobNamespace', 'job',
]

/** RFC 4180. A cell that a spreadsheet would take for a formula is kept from it by an apostrophe. */
export function writeCsv(rows: EdgeRow[]): string {
  const cell = (value: string | null) => {
    const text = value === null ? '' : /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return [HEADINGS.join(','), ...rows.map((row) => HEADINGS.map((heading) => cell(row[heading])).join(','))].join('\r\n') + '\r\n'
}
