import type { Child, PropsWithChildren } from 'hono/jsx';
import { useWords } from '../words.tsx';

/** The head of a page: its only `h1`, a sentence, its actions, and for one thing of a list the way back to the list. */
export function PageHeader({
  title,
  lead,
  actions,
  crumb,
}: {
  title: Child;
  lead?: Child;
  actions?: Child;
  crumb?: { readonly href: string; readonly label: Child };
}) {
  return (
    <div class="page-header">
      <div>
        {crumb && (
          <p class="crumb">
            <a href={crumb.href}>{crumb.label}</a>
          </p>
        )}
        <h1>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </div>
  );
}

/** A part of a page of settings: its title beside a panel, or above it on a phone. */
export function Section({ id, title, hint, children }: PropsWithChildren<{ id: string; title: string; hint?: Child }>) {
  return (
    <section class="section" aria-labelledby={id}>
      <div class="about">
        <h2 id={id}>{title}</h2>
        {hint && <p>{hint}</p>}
      </div>
      <div class="panel">{children}</div>
    </section>
  );
}

/** Facts about one thing, as terms and values. */
export function Facts({ facts }: { facts: readonly { readonly term: string; readonly value: Child }[] }) {
  return (
    <dl class="facts">
      {facts.map(({ term, value }) => (
        <div>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A sentence at the head of a page, and the way to the guide that explains more. @param guide its path below `/docs` */
export function LeadWithGuide({ guide, children }: PropsWithChildren<{ guide: string }>) {
  return (
    <>
      {children} <a href={`/docs/${guide}`}>{useWords().text('kit.docs')}</a>
    </>
  );
}
