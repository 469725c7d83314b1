import { Notice } from '../kit/notice.tsx';
import { agoIn } from '../kit/relative-time.tsx';
import { useWords } from '../words.tsx';

/**
 * Says when a program last got tokens with the account's own password, and that a second factor ends that: on the page of
 * application passwords, and where a second factor is set up.
 *
 * @param usedAt milliseconds since the epoch, or null
 */
export function BasicUse({
  usedAt,
  hasFactor,
  timeZone,
}: {
  usedAt: number | null;
  hasFactor: boolean;
  timeZone: string;
}) {
  const words = useWords();
  if (usedAt === null) return <Notice>{words.text('applicationPasswords.basicUnused')}</Notice>;
  return (
    <Notice kind={hasFactor ? 'warning' : 'info'}>
      {words.content(hasFactor ? 'applicationPasswords.basicRefused' : 'applicationPasswords.basicUsed', {
        ...agoIn(words, usedAt, timeZone),
        a: (inside) => <a href="/platform/account/passwords/new">{inside}</a>,
      })}
    </Notice>
  );
}
