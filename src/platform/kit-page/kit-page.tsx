import { Hono } from 'hono';
import type { PropsWithChildren } from 'hono/jsx';
import { AppError } from '../../errors.ts';
import { ICON_NAMES } from '../../design/icon-names.ts';
import { Icon } from '../../design/icon.tsx';
import type { LinkState } from '../../links/managed-link.ts';
import { TAG_COLOURS } from '../../links/tags/names.ts';
import type { PlatformEnv } from '../env.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { CodeBlock, CopyButton, CopyField } from '../kit/copy.tsx';
import { Disclosure } from '../kit/disclosure.tsx';
import { Menu } from '../kit/menu.tsx';
import { Badge, EmptyState, Notice } from '../kit/notice.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { SettingRows, SETTINGS_STYLES } from '../kit/settings-list.tsx';
import { Sparkline } from '../kit/sparkline.tsx';
import { Pager, Table } from '../kit/table.tsx';
import { Avatar } from '../links/avatar.tsx';
import { Fade, Tape } from '../links/tape.tsx';
import { page } from '../page.tsx';
import { Dot } from '../tags/dot.tsx';
import { Fields } from './fields.tsx';
import { STATISTICS_STYLES } from '../clicks/statistics.tsx';
import { LIST_STYLES } from '../links/list/list-page.tsx';

const STATES: readonly LinkState[] = ['active', 'expired', 'disabled', 'deleted'];
const KINDS = ['info', 'success', 'warning', 'danger'] as const;
const LONG = 'https://acme-outdoor.example/shop/tents/ultralight/alpine-lite-2?colour=moss&utm_source=newsletter';
const COUNTS = [3, 4, 3, 5, 4, 9, 31, 24, 18, 14, 16, 12];

/**
 * Every component of the pages in each of its states, for people who change them: only in local runs, which are those that
 * may send webhooks to this machine, since a deploy refuses that.
 */
export function kitPages(): Hono<PlatformEnv> {
  return new Hono<PlatformEnv>().get('/platform/kit', (c) => {
    if (!c.var.services.config.webhookLoopback) throw new AppError('not_found', 'There is no such page.');
    return page(c, { title: 'Kit', styles: [...STATISTICS_STYLES, ...LIST_STYLES, ...SETTINGS_STYLES] }, <Kit />);
  });
}

function Kit() {
  return (
    <>
      <PageHeader
        title="Kit"
        lead="Every component of the pages."
        crumb={{ href: '/platform', label: 'Platform' }}
        actions={<ButtonLink href="/docs">Docs</ButtonLink>}
      />
      <Part id="short-links" title="Short links" hint="A short link stands on tape; its destination fades.">
        {STATES.map((state) => (
          <p>
            <Tape shortUrl="https://acme.example/tent" state={state} href="#short-links" />
          </p>
        ))}
        <p>
          <Tape shortUrl="https://acme.example/members" state="active" isLocked />
        </p>
        <p>
          <Tape shortUrl="https://acme.example/spring" state="active" big />
        </p>
        <Fade href={LONG} />
        <Avatar href={LONG} />
      </Part>
      <Part id="buttons" title="Buttons" hint="One green button a page.">
        <Actions>
          <Button>Save</Button>
          <Button kind="quiet">Cancel</Button>
          <Button kind="danger">Delete</Button>
          <Button kind="quiet" small>
            Small
          </Button>
          <ButtonLink href="#buttons">
            <Icon name="download" />
            With an icon
          </ButtonLink>
          <button type="button" class="as-link">
            As a link
          </button>
        </Actions>
        <Menu label="Menu" summary="Menu">
          <ul>
            <li>
              <a href="#buttons" aria-current="true">
                <Icon name="pencil" />
                Edit
              </a>
            </li>
            <li>
              <button type="button">
                <Icon name="trash-2" />
                Delete
              </button>
            </li>
          </ul>
        </Menu>
      </Part>
      <Fields />
      <Part id="words" title="Words with a meaning">
        <p>
          {KINDS.map((kind) => (
            <>
              <Badge kind={kind}>{kind}</Badge>{' '}
            </>
          ))}
        </p>
        <p>
          {TAG_COLOURS.map((colour) => (
            <>
              <Dot colour={colour} />
              {colour}{' '}
            </>
          ))}
        </p>
        {KINDS.map((kind) => (
          <Notice kind={kind}>A sentence of the kind {kind}.</Notice>
        ))}
        <EmptyState title="Nothing yet" action={<Button>Create</Button>}>
          The reason, and the next step.
        </EmptyState>
      </Part>
      <Part id="lists" title="Lists and facts">
        <Table
          caption="Domains"
          columns={[
            { label: 'Host', isWide: true, cell: ({ host }: { host: string }) => host },
            { label: 'Links', cell: () => '1,234' },
            { label: 'Actions', isActions: true, cell: () => <Button kind="quiet">Open</Button> },
          ]}
          rows={[{ host: 'go.acme.example' }, { host: 'a-rather-long-name-of-a-host.acme-outdoor.example' }]}
        />
        <Pager next="#lists" first="#lists" note="1 to 2 of 1,234" />
        <SettingRows
          label="Keys"
          settings={['build server', 'a rather long name of a program that creates links every night'].map((name) => ({
            href: '#lists',
            name,
            title: name,
            state: <Badge kind="success">Active</Badge>,
            facts: ['Last used yesterday', 'links:write', 'Created 3 mo. ago'],
            acts: [
              { icon: 'pencil', label: 'Rename', href: '#lists' },
              { icon: 'ban', label: 'Revoke', href: '#lists', confirms: true },
            ],
          }))}
        />
        <Facts
          facts={[
            { term: 'Created', value: '1 March 2027' },
            { term: 'Workspace', value: 'Acme Outdoor' },
          ]}
        />
        <Disclosure label="More" note="2 set" open={false}>
          What few people need.
        </Disclosure>
        <Sparkline counts={COUNTS} most={40} label="143 in 12 days" />
      </Part>
      <Part id="texts" title="Texts to copy">
        <CopyField id="kit-copy" label="Short link" value="https://acme.example/tent" />
        <CopyButton text="text" label="Copy the text" />
        <CodeBlock id="kit-code" label="curl" code="curl https://acme.example/v1/links" />
      </Part>
      <Part id="icons" title="Icons" hint="Lucide. A name more in icon-names.ts is an icon more.">
        <ul class="kit-icons">
          {ICON_NAMES.map((name) => (
            <li>
              <Icon name={name} />
              {name}
            </li>
          ))}
        </ul>
      </Part>
    </>
  );
}

function Part({ id, title, hint, children }: PropsWithChildren<{ id: string; title: string; hint?: string }>) {
  return (
    <Section id={id} title={title} hint={hint}>
      {children}
    </Section>
  );
}
