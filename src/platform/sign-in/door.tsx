import { EXAMPLE, Tee, TeeAddress, TeeShort } from '../../design/tee.tsx';

/** Beside the forms of people who come in: what the service does. Phones leave it out. */
export function Door() {
  return (
    <aside class="band beside" aria-label="What this service does">
      <Tee bar={<TeeAddress url={EXAMPLE.url} />}>
        <TeeShort {...EXAMPLE} />
      </Tee>
      <p class="motto">A long address becomes a short one that people trust.</p>
    </aside>
  );
}
