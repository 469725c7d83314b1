import { useWords } from '../words.tsx';
import { EXAMPLE, Tee, TeeAddress, TeeShort } from '../../design/tee.tsx';

/** Beside the forms of people who come in: what the service does. Phones leave it out. */
export function Door() {
  const { text } = useWords();
  return (
    <aside class="band beside" aria-label={text('signIn.does')}>
      <Tee bar={<TeeAddress url={EXAMPLE.url} />}>
        <TeeShort {...EXAMPLE} />
      </Tee>
      <p class="motto">{text('signIn.motto')}</p>
    </aside>
  );
}
