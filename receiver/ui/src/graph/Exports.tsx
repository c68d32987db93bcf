import type { Places } from '../layout/layout'
import type { Model } from './model'
import type { EdgeRow } from './rows'
import type { Scene } from './scene'
import { writeCsv, writeJson, writeMermaid, writeSvg } from './write'

interface Props { model: Model; scene: Scene; places: Places; rows: EdgeRow[]; name: string }

/** What is shown, as a file. */
export function Exports({ model, scene, places, rows, name }: Props) {
  const kinds: [string, string, string, () => string][] = [
    ['SVG', 'svg', 'image/svg+xml', () => writeSvg(scene, places)],
    ['Mermaid', 'mmd', 'text/plain', () => writeMermaid(scene)],
    ['JSON', 'json', 'application/json', () => writeJson(model, scene, rows)],
    ['CSV', 'csv', 'text/csv', () => writeCsv(rows)],
  ]
  return (
    <details class="menu">
      <summary>Export</summary>
      <div class="menu-body">
        {kinds.map(([word, ending, type, write]) => (
          <button key={word} type="button" onClick={(event) => {
            save(write(), type, `${name.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.${ending}`)
            event.currentTarget.closest('details')?.removeAttribute('open')
          }}>{word}</button>
        ))}
      </div>
    </details>
  )
}

function save(text: string, type: string, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
