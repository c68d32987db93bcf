import { useState } from 'preact/hooks'
import { some } from '../parts/format'
import { Name, To } from '../parts/Link'
import type { State } from '../state'
import type { EdgeRow } from './rows'

const STEP = 200

/** The graph's edges as a table: the same data, for who reads rather than looks. */
export function TableView({ rows }: { rows: EdgeRow[] }) {
  const [most, setMost] = useState(STEP)
  return (
    <section class="edge-table" aria-label="The graph as a table" tabIndex={0}>
      <table>
        <caption>{some(rows.length, 'edge')}</caption>
        <thead><tr><th>From</th><th>To</th><th>Kind</th><th>Expression</th><th>Job</th><th>Evidence</th></tr></thead>
        <tbody>
          {rows.slice(0, most).map((row, at) => (
            <tr key={at}>
              <td><End namespace={row.sourceNamespace} name={row.source} field={row.sourceField} /></td>
              <td>{row.reader ? <JobEnd row={row} /> : <End namespace={row.targetNamespace} name={row.target} field={row.targetField} />}</td>
              <td>{row.kinds}</td>
              <td>{row.expression && <code>{row.expression}</code>}</td>
              <td>{row.job && <JobEnd row={row} />}</td>
              <td>{row.sourceField !== null && <To state={edgeState(row)} label={`Why: the evidence for ${row.source}.${row.sourceField}`}>why?</To>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && <p><button type="button" onClick={() => setMost(most + STEP)}>Show {Math.min(STEP, rows.length - most)} more</button></p>}
    </section>
  )
}

const edgeState = (row: EdgeRow): Partial<State> => ({
  panel: {
    kind: 'edge',
    parts: [row.sourceNamespace, row.source, row.sourceField ?? '', row.targetNamespace, row.target, row.targetField ?? ''],
  },
})

function JobEnd({ row: { job, jobNamespace } }: { row: EdgeRow }) {
  const of = { namespace: jobNamespace ?? '', name: job ?? '' }
  return <To state={{ panel: { kind: 'job', parts: [of.namespace, of.name] } }} class="name"><Name of={of} /></To>
}

function End({ namespace, name, field }: { namespace: string; name: string; field: string | null }) {
  if (field === null) return <To state={{ panel: { kind: 'dataset', parts: [namespace, name] } }} class="name"><Name of={{ namespace, name }} /></To>
  const of = { namespace, name, field }
  return <To state={{ lock: of, panel: { kind: 'column', parts: [namespace, name, field] } }} class="name"><Name of={of} /></To>
}
