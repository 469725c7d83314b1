import { html } from 'hono/html';
import { createContext, useContext, type Child, type PropsWithChildren } from 'hono/jsx';
import { langOf, plain, useWords, type Sentence } from '../words.tsx';
import type { FormState } from '../forms/form.ts';

/** A field with a fault that is on the page: how the summary names it, and the id that a link to it has. */
interface FieldAnchor {
  readonly label: string;
  readonly id: string;
}

const Places = createContext<Map<string, FieldAnchor> | null>(null);

/** Says where on the page the fault of a field is, for the summary of its form. */
export function noteAnchor(name: string, place: FieldAnchor): void {
  useContext(Places)?.set(name, place);
}

/** True if a page has something to say of a form, so that no field of it takes the focus. */
export const isRefused = ({ faults, complaint, note }: FormState): boolean =>
  complaint !== null || note !== undefined || Object.keys(faults).length > 0;

/**
 * The content of a form, and above it what is wrong with it: a list that has the focus, in which each line leads to its
 * field. `about` says more of the whole form, and stands first.
 */
export function WithSummary({ form, about, children }: PropsWithChildren<{ form: FormState; about?: Child }>) {
  if (!isRefused(form) && !about) return <>{children}</>;
  const places = new Map<string, FieldAnchor>();
  // The fields come first, since they say where they are.
  const fields = html`${<Places.Provider value={places}>{children}</Places.Provider>}`;
  return (
    <>
      <Summary form={form} about={about} places={places} />
      {fields}
    </>
  );
}

/**
 * The list of the errors of a form. It has the focus when the page opens, without a script too, since a page that is
 * shown again begins at its top.
 *
 * @param places where the fields with faults are; those of others are listed by name
 */
export function Summary({
  form: { faults, complaint, note },
  about,
  places = new Map(),
}: {
  form: FormState;
  about?: Child;
  places?: ReadonlyMap<string, FieldAnchor>;
}) {
  const { text } = useWords();
  const lost = Object.keys(faults).filter((name) => !places.has(name));
  const count = Object.keys(faults).length;
  // As errors are fixed, a script shows the heading of those that are left.
  const headingsOf = (most: number) =>
    Array.from({ length: most }, (_, index) => text('kit.errors', { count: index + 1 }));
  const only = count === 0 && !about ? (complaint ?? note) : undefined;
  if (only !== undefined)
    return (
      <Box isNote={complaint === null}>
        <Said sentence={only} />
      </Box>
    );
  return (
    <Box stack>
      {note !== undefined && <p>{note}</p>}
      {about}
      {complaint !== null && <p lang={langOf(complaint)}>{plain(complaint)}</p>}
      {count > 0 && (
        <h2 data-fewer={count > 1 ? JSON.stringify(headingsOf(count - 1)) : undefined}>
          {text('kit.errors', { count })}
        </h2>
      )}
      {count > 0 && (
        <ul class="faults">
          {[...places].map(([name, { label, id }]) => (
            <li>
              <a href={`#${id}`}>
                {label}: <Said sentence={faults[name] ?? ''} />
              </a>
            </li>
          ))}
          {lost.map((name) => (
            <li>
              {name}: <Said sentence={faults[name] ?? ''} />
            </li>
          ))}
        </ul>
      )}
    </Box>
  );
}

/** A sentence, which says its language if it has no translation. */
export function Said({ sentence }: { sentence: Sentence }) {
  const lang = langOf(sentence);
  return lang ? <span lang={lang}>{plain(sentence)}</span> : <>{plain(sentence)}</>;
}

function Box({ stack = false, isNote = false, children }: PropsWithChildren<{ stack?: boolean; isNote?: boolean }>) {
  const kind = isNote ? 'warning' : 'danger';
  return (
    <div class={`notice ${kind}${stack ? ' stack' : ''}`} tabindex={-1} autofocus role={isNote ? 'status' : 'alert'}>
      {children}
    </div>
  );
}
