import { Hono } from 'hono';
import { listSignIns, type SignIn, type SignInWay } from '../../accounts/sessions/sign-in-history.ts';
import { PROGRAM_WAYS } from '../../accounts/sessions/sign-in-records.ts';
import { readQuery } from '../../http/query.ts';
import { readPage } from '../../input/pagination.ts';
import type { PlatformEnv } from '../env.ts';
import { Badge, EmptyState } from '../kit/notice.tsx';
import { PageHeader } from '../kit/section.tsx';
import { Pager, Table, type Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { pagesOf } from '../list.ts';
import { page } from '../page.tsx';
import { useWords, type PageWords } from '../words.tsx';
import { nameOfDevice, nameOfPlace, nameOfWay } from './sign-in-words.ts';

export const HISTORY = '/platform/account/history';
const ROWS = 100;

/** The history of a user's sign-ins; for pages behind `signedIn`. */
export function historyPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.get(HISTORY, async (c) => {
    const { db, session, words } = c.var;
    const asked = readPage(
      { list: 'sign-ins', user_id: session.userId },
      { limit: ROWS, cursor: readQuery(c)['cursor'] },
    );
    const { signIns, cursor } = await listSignIns(db, session, asked);
    const content = <HistoryPage signIns={signIns} timeZone={session.timeZone} pages={pagesOf(c, cursor)} />;
    return page(c, { title: words.text('signIns.title') }, content);
  });
  return pages;
}

function HistoryPage({
  signIns,
  timeZone,
  pages,
}: {
  signIns: readonly SignIn[];
  timeZone: string;
  pages: ReturnType<typeof pagesOf>;
}) {
  const words = useWords();
  const { text } = words;
  return (
    <>
      <PageHeader
        title={text('signIns.title')}
        lead={text('signIns.lead')}
        crumb={{ href: '/platform/account', label: text('account.title') }}
      />
      {signIns.length === 0 ? (
        <EmptyState title={text('signIns.none')}>{text('signIns.noneHint')}</EmptyState>
      ) : (
        <Table caption={text('signIns.title')} columns={columnsIn(words, timeZone)} rows={signIns} />
      )}
      <Pager {...pages} />
    </>
  );
}

const OF_PROGRAMS: ReadonlySet<SignInWay> = new Set(PROGRAM_WAYS);

function columnsIn(words: PageWords, timeZone: string): readonly Column<SignIn>[] {
  const { text, content } = words;
  return [
    { label: text('kit.time'), cell: ({ at }) => <Time at={at} timeZone={timeZone} /> },
    {
      label: text('account.browser'),
      align: 'words',
      cell: (signIn) => (OF_PROGRAMS.has(signIn.way) ? text('signIns.program') : nameOfDevice(words, signIn)),
    },
    { label: text('signIns.place'), align: 'words', cell: ({ country }) => nameOfPlace(words, country) },
    {
      label: text('signIns.way'),
      align: 'words',
      cell: ({ way, passwordName: name }) =>
        name === null ? nameOfWay(words, way) : content('signIns.applicationNamed', { name }),
    },
    {
      label: text('signIns.outcome'),
      cell: ({ outcome }) =>
        outcome === 'success' ? text('signIns.success') : <Badge kind="warning">{text('signIns.wrongCode')}</Badge>,
    },
  ];
}
