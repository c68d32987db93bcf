import { Chip } from '../parts/Chip'
import { LETTERS } from './model'

const KEYS: [string, string][] = [
  ['/', 'find a table or a column'], ['← →', 'along the edges'], ['↑ ↓', 'rows and tables'], ['Enter', 'open a table, lock a column'],
  ['[ ]', 'show more up or down stream'], ['i', 'details'], ['Esc', 'close, then release'], ['+ − 0', 'closer, farther, all'],
]

export function Legend() {
  return (
    <details class="menu">
      <summary aria-label="What the signs and keys mean" title="Signs and keys"><span aria-hidden="true">?</span></summary>
      <div class="menu-body legend">
        <h2>Columns</h2>
        <ul>{LETTERS.map((letter) => <li key={letter.letter}><Chip of={letter} /> <span aria-hidden="true">{letter.words}</span></li>)}</ul>
        <h2>Edges</h2>
        <ul>
          <li><span class="stroke" aria-hidden="true" /> values are made of it</li>
          <li><span class="stroke dotted-stroke" aria-hidden="true" /> it decides rows or which value (filters, joins)</li>
          <li><span class="stroke table-stroke" aria-hidden="true" /> tables that a job links</li>
        </ul>
        <h2>Keys</h2>
        <dl>{KEYS.map(([key, words]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{words}</dd></div>)}</dl>
      </div>
    </details>
  )
}
