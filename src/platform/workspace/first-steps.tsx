import { Hono, type Context } from 'hono';
import { dismissFirstSteps, getFirstSteps, type FirstStep, type FirstSteps } from '../../workspaces/first-steps.ts';
import type { OwnClient, PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { inClient, ownersOnly, signedIn } from '../guard.ts';
import { Actions, Button } from '../kit/button.tsx';
import { Section } from '../kit/section.tsx';
import { clientPath } from '../nav.ts';

/** In the order of the list: what is done, and the page where it is done. */
const STEPS: Readonly<Record<FirstStep, readonly [label: string, path: string]>> = {
  link: ['Create your first link', 'links/new'],
  domain: ['Add and verify your own domain', 'domains/new'],
  invite: ['Invite a member', 'members/invite'],
  key: ['Create an API key for your programs', 'keys/new'],
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
  const entries = Object.entries(STEPS).map(([name, [label, path]]) => ({
    label,
    path,
    isDone: steps[name as FirstStep],
  }));
  const done = entries.filter(({ isDone }) => isDone).length;
  return (
    <Section
      id="first-steps"
      title="First steps"
      hint={`${done} of ${entries.length} done. Only owners see this list.`}
    >
      <ol class="steps">
        {entries.map(({ label, path, isDone }) => (
          <li class={isDone ? 'step-done' : undefined}>
            {isDone ? (
              <>
                <span>{label}</span>
                <span class="unseen"> (done)</span>
              </>
            ) : (
              <a href={clientPath(client, path)}>{label}</a>
            )}
          </li>
        ))}
      </ol>
      <form method="post" action={clientPath(client, 'first-steps')}>
        <Actions>
          <Button kind="quiet" small>
            Hide this list
          </Button>
        </Actions>
      </form>
    </Section>
  );
}
