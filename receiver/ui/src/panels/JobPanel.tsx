import type { Job, Lineage, Run } from '../api/types'
import { useAsked } from '../api/use'
import { Answer } from '../parts/Answer'
import { Boundary } from '../parts/Boundary'
import { DatasetLink, Name, To } from '../parts/Link'
import { around, go } from '../state'
import type { Ref } from '../ref'
import { Pages, RunTable } from '../views/Runs'
import { Fact, Facts, File, Owners } from './Facts'

/** A job: where its code lies, what it reads and writes, and its runs. */
export function JobPanel({ job, at, pages }: { job: Ref; at: string | null; pages: string[] }) {
  const asked = useAsked<Lineage>('api/v2/lineage', { ...job, type: 'job', depth: 1, columns: 'none', asOf: at })
  return (
    <>
      <p class="title"><Name of={job} /></p>
      <Answer asked={asked} what="the job">
        {(answer) => {
          const found = answer.jobs.find(({ id }) => id === answer.target.id)
          return found ? <About job={found} answer={answer} /> : <p class="quiet">Nothing is known of it at this time.</p>
        }}
      </Answer>
      <Boundary what="The runs"><JobRuns of={job} pages={pages} /></Boundary>
    </>
  )
}

function About({ job, answer }: { job: Job; answer: Lineage }) {
  const mine = answer.tableEdges.filter((edge) => edge.job === job.id)
  const list = (ids: (string | null)[]) => answer.datasets.filter(({ id }) => ids.includes(id))
  const reads = list(mine.map(({ source }) => source))
  const writes = list(mine.map(({ target }) => target))
  const kind = [job.jobType?.integration, job.jobType?.jobType].filter(Boolean).join(' ').toLowerCase()
  return (
    <>
      {reads.length + writes.length > 0 && <p><To state={around(job, 'job')} class="button">Graph around this job</To></p>}
      {job.description && <p>{job.description}</p>}
      <Facts>
        <Fact name="Namespace">{job.namespace}</Fact>
        <Fact name="Kind">{kind}</Fact>
        <Fact name="Code">{job.file && <File of={job.file} />}</Fact>
        <Fact name="Owners">{job.owners.length > 0 && <Owners of={job.owners} />}</Fact>
        <Fact name="Reads">{reads.length > 0 && reads.map((one) => <div key={one.id}><DatasetLink of={one} /></div>)}</Fact>
        <Fact name="Writes">{writes.length > 0 && writes.map((one) => <div key={one.id}><DatasetLink of={one} /></div>)}</Fact>
      </Facts>
    </>
  )
}

function JobRuns({ of, pages }: { of: Ref; pages: string[] }) {
  const asked = useAsked<{ runs: Run[]; nextCursor: string | null }>('api/v2/runs', {
    namespace: of.namespace, job: of.name, limit: 20, cursor: pages.at(-1),
  })
  return (
    <section>
      <h3>Runs</h3>
      <Answer asked={asked} what="the runs">
        {({ runs, nextCursor }) => (
          <>
            <RunTable runs={runs} withJob={false} />
            <Pages of={pages} next={nextCursor} busy={asked.busy} show={(panelPages) => go({ panelPages })} />
          </>
        )}
      </Answer>
    </section>
  )
}
