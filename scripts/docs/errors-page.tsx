import { STATUS_BY_CODE, type ErrorCode } from '../../src/errors.ts';
import { ALL_CODES, meaningOf, MEANINGS } from '../../src/reference/code-meanings.ts';

/** All error codes, each with a fragment of its own, to which the `type` of problem details leads. */
export function ErrorsPage() {
  // Map.groupBy came after Node 20, which prepares the files.
  const byStatus = new Map<number, (typeof ALL_CODES)[number][]>();
  for (const code of ALL_CODES)
    byStatus.set(STATUS_BY_CODE[code], [...(byStatus.get(STATUS_BY_CODE[code]) ?? []), code]);
  return (
    <>
      <h1>Errors</h1>
      <p class="lead">
        An error response is <code>{'{"result": "Failed", "error": "<code>: <sentence>"}'}</code>. With{' '}
        <code>Accept: application/problem+json</code> it is problem details (RFC 9457): <code>type</code>, which links
        to this page, <code>title</code>, <code>status</code>, <code>detail</code>, <code>code</code>, and in{' '}
        <code>errors</code> the <code>detail</code> of each invalid <code>field</code>.
      </p>
      {[...byStatus]
        .toSorted(([a], [b]) => a - b)
        .map(([status, codes]) => (
          <Status status={status} codes={codes} />
        ))}
    </>
  );
}

function Status({ status, codes }: { status: number; codes: readonly ErrorCode[] }) {
  return (
    <section class="release" id={`status-${status}`}>
      <h2>{status}</h2>
      {MEANINGS[status] && <p>{MEANINGS[status]}.</p>}
      <ul class="entries codes">
        {codes.map((code) => (
          <li id={code}>
            <code>{code}</code>
            <p class="quiet">{meaningOf(code)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
