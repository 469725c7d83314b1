import { Hono, type Context } from 'hono';
import { dismissFirstSteps, getFirstSteps, type FirstStep, type FirstSteps } from '../../workspaces/first-steps.ts';
import type { OwnClient, PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { inClient, ownersOnly, signedIn } from '../guard.ts';
import { Actions, Button } from '../kit/button.tsx';
import { Section } from '../kit/section.tsx';
import { clientPath } from '../nav.ts';
import { useWords, type PlainKey } from '../words.tsx';

/** In the order of the list: what is done, and the page where it is done. */
const STEPS: Readonly<Record<FirstStep, readonly [label: PlainKey, path: string]>> = {
  link: ['workspace.stepLink', 'links/new'],
  domain: ['workspace.stepDomain', 'domains/new'],
  invite: ['workspace.stepInvite', 'members/invite'],
  key: ['workspace.stepKey', 'keys/new'],
};

/** The list of first steps, for the overview of an owner; null without any query once it is closed. */
export async function firstStepsOf(c: Context<PlatformEnv>) {
  const { db, actor, client } = c.var;
  if (!client.hasFirstSteps || client.role !== 'owner') return null;
  const steps = await getFirstSteps(db, actor);
  return steps && <FirstStepList {...{ steps, client }} />;
}

/** The form that dismisses the list. */
export function firstStepPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.post('/platform/c/:client/first-steps', signedIn, inClient, ownersOnly, async (c) => {
    await dismissFirstSteps(c.var.db, c.var.actor);
    return seeOther(c, clientPath(c.var.client), 'first-steps-dismissed');
  });
  return pages;
}

function FirstStepList({ steps, client }: { steps: FirstSteps; client: OwnClient }) {
  const { text, content } = useWords();
  const entries = Object.entries(STEPS).map(([name, [label, path]]) => ({
    label: text(label),
    path,
    isDone: steps[name as FirstStep],
  }));
  const done = entries.filter(({ isDone }) => isDone).length;
  return (
    <Section
      id="first-steps"
      title={text('workspace.firstSteps')}
      hint={text('workspace.stepsDone', { done: String(done), of: String(entries.length) })}
    >
      <ol class="steps">
        {entries.map(({ label, path, isDone }) => (
          <li class={isDone ? 'step-done' : undefined}>
            {isDone ? (
              content('workspace.stepDone', {
                label,
                span: (inside) => <span>{inside}</span>,
                unseen: (inside) => <span class="unseen">{inside}</span>,
              })
            ) : (
              <a href={clientPath(client, path)}>{label}</a>
            )}
          </li>
        ))}
      </ol>
      <form method="post" action={clientPath(client, 'first-steps')}>
        <Actions>
          <Button kind="quiet" small>
            {text('workspace.hideSteps')}
          </Button>
        </Actions>
      </form>
    </Section>
  );
}
